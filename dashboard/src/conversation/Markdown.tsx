import { memo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { CodeBlock } from "./CodeBlock.tsx";
import { splitMarkdown } from "./split-markdown.ts";

const plugins = [remarkGfm];

/** The agent's text is untrusted (S5): no HTML, only links that say where they go, images as links. */
const components: Components = {
  a: ({ href, children }) =>
    href === undefined || href === "" ? (
      <span>{children}</span>
    ) : (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
        {children}
      </a>
    ),
  img: ({ src, alt }) =>
    typeof src === "string" && src !== "" ? (
      <a href={src} target="_blank" rel="noopener noreferrer nofollow">
        {alt || src}
      </a>
    ) : null,
  pre: ({ children }) => children,
  code: ({ className, children }) => {
    const language = /language-(\S+)/.exec(className ?? "")?.[1];
    const code = String(children);
    return language !== undefined || code.includes("\n") ? (
      <CodeBlock code={code.replace(/\n$/, "")} language={language ?? null} />
    ) : (
      <code>{children}</code>
    );
  },
  table: ({ children }) => (
    <div className="prose-table">
      <table>{children}</table>
    </div>
  ),
};

const Part = memo(function Part({ text }: { readonly text: string }) {
  return (
    <ReactMarkdown skipHtml remarkPlugins={plugins} components={components}>
      {text}
    </ReactMarkdown>
  );
});

/** Markdown that may still be growing: only its last part is parsed again. */
export default function Markdown({ text }: { readonly text: string }) {
  return (
    <div className="prose">
      {splitMarkdown(text).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts only ever grow at the end
        <Part key={index} text={part} />
      ))}
    </div>
  );
}
