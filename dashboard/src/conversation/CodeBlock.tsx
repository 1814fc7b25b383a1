import { CopyButton } from "../ui/CopyButton.tsx";
import { Highlighted } from "./Highlighted.tsx";

/** Code in an answer: its language, and a way to take it along. */
export function CodeBlock({ code, language }: { readonly code: string; readonly language: string | null }) {
  return (
    <figure
      className="group/code relative my-3 overflow-hidden rounded-md border border-line bg-sunken"
      aria-label={language ?? "code"}
    >
      <div className="absolute top-1.5 right-1.5 flex items-center gap-1 rounded-sm bg-sunken pl-1.5 text-xs text-text-3">
        {language}
        <CopyButton
          text={code}
          label="Copy code"
          className="opacity-0 group-focus-within/code:opacity-100 group-hover/code:opacity-100 max-md:opacity-100"
        />
      </div>
      <pre className="overflow-x-auto p-3 text-[12.5px] leading-5">
        <code>
          <Highlighted code={code} language={language} />
        </code>
      </pre>
    </figure>
  );
}
