import type { MarkedToken, Token, Tokens } from "marked";
import { memo, type ReactNode } from "react";
import { CodeBlock } from "./CodeBlock.tsx";
import { isKnown, readMarkdown, safeHref, unescapeText } from "./markdown-tokens.ts";
import { splitMarkdown } from "./split-markdown.ts";

/** Markdown that may still be growing: only its last part is parsed again. Untrusted (S5): no HTML is ever made of it. */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <div className="prose">
      {splitMarkdown(text).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts only ever grow at the end
        <Part key={index} text={part} />
      ))}
    </div>
  );
}

const Part = memo(function Part({ text }: { readonly text: string }) {
  return <Many tokens={readMarkdown(text)} />;
});

function Many({ tokens }: { readonly tokens: readonly Token[] | undefined }): ReactNode {
  return tokens?.filter(isKnown).map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no other identity
    <One key={index} token={token} />
  ));
}

function One({ token }: { readonly token: MarkedToken }): ReactNode {
  switch (token.type) {
    case "paragraph":
      return (
        <p>
          <Many tokens={token.tokens} />
        </p>
      );
    case "text":
      return token.tokens === undefined ? unescapeText(token.text) : <Many tokens={token.tokens} />;
    case "escape":
      return token.text;
    case "strong":
      return (
        <strong>
          <Many tokens={token.tokens} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Many tokens={token.tokens} />
        </em>
      );
    case "del":
      return (
        <del>
          <Many tokens={token.tokens} />
        </del>
      );
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return (
        <Link href={token.href}>
          <Many tokens={token.tokens} />
        </Link>
      );
    case "image":
      // Not fetched: a picture's address can tell its owner who looked.
      return <Link href={token.href}>{unescapeText(token.text) || token.href}</Link>;
    case "html":
      return token.block ? <p className="whitespace-pre-wrap">{token.raw.trim()}</p> : token.raw;
    case "heading":
      return (
        <Heading depth={token.depth}>
          <Many tokens={token.tokens} />
        </Heading>
      );
    case "code":
      return <CodeBlock code={token.text} language={token.lang?.split(/\s/)[0] || null} />;
    case "blockquote":
      return (
        <blockquote>
          <Many tokens={token.tokens} />
        </blockquote>
      );
    case "list":
      return <List list={token} />;
    case "list_item":
      return (
        <li>
          <Many tokens={token.tokens} />
        </li>
      );
    case "checkbox":
      return <input type="checkbox" checked={token.checked} disabled aria-label={token.checked ? "done" : "to do"} />;
    case "table":
      return <Table table={token} />;
    case "hr":
      return <hr />;
    case "space":
    case "def":
      return null;
  }
}

function Link({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const safe = safeHref(href);
  if (safe === null) return <span title={href}>{children}</span>;
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer nofollow" title={safe}>
      {children}
    </a>
  );
}

/** An answer's headings stand below the page's own. */
function Heading({ depth, children }: { readonly depth: number; readonly children: ReactNode }) {
  if (depth === 1) return <h2 className="prose-h1">{children}</h2>;
  if (depth === 2) return <h3 className="prose-h2">{children}</h3>;
  return <h4>{children}</h4>;
}

function List({ list }: { readonly list: Tokens.List }) {
  const items = list.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity
    <li key={index}>
      <Many tokens={item.tokens} />
    </li>
  ));
  return list.ordered ? <ol start={list.start === "" ? 1 : list.start}>{items}</ol> : <ul>{items}</ul>;
}

function Cell({ cell }: { readonly cell: Tokens.TableCell }) {
  const align = { left: "text-left", center: "text-center", right: "text-right" }[cell.align ?? "left"];
  const Tag = cell.header ? "th" : "td";
  return (
    <Tag className={align}>
      <Many tokens={cell.tokens} />
    </Tag>
  );
}

function Table({ table }: { readonly table: Tokens.Table }) {
  const row = (cells: readonly Tokens.TableCell[]) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other identity
    cells.map((cell, index) => <Cell key={index} cell={cell} />);
  return (
    <div className="prose-table">
      <table>
        <thead>
          <tr>{row(table.header)}</tr>
        </thead>
        <tbody>
          {table.rows.map((cells, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
            <tr key={index}>{row(cells)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
