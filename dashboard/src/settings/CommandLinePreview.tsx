import { terminalCommandLine } from "@reprise/protocol";
import { Fragment } from "react";
import { fromForm, type ProfileForm } from "./profile-form.ts";

/** The command lines that a terminal agent's form comes to; nothing while it can't be saved. */
export function CommandLinePreview({ form }: { readonly form: ProfileForm }) {
  const result = fromForm({ ...form, name: form.name.trim() || "preview" }, null);
  if (!result.ok) return null;
  const start = terminalCommandLine(result.body, { token: null, prompt: "‹first prompt›" });
  const resumed = terminalCommandLine(result.body, { token: "‹id›", prompt: null });
  return (
    <dl className="flex flex-col gap-2 rounded-md border border-line bg-sunken px-3 py-2.5 text-xs">
      <Shown what="A new session runs" line={start} />
      <Shown what="Resume runs" line={resumed} />
    </dl>
  );
}

function Shown({ what, line }: { readonly what: string; readonly line: readonly string[] | null }) {
  return (
    <div className="flex gap-x-3 gap-y-0.5 max-md:flex-col">
      <dt className="w-32 shrink-0 text-text-3">{what}</dt>
      <dd className="min-w-0 flex-1 wrap-anywhere">
        {line === null ? (
          <span className="text-text-2">nothing: this agent can't resume</span>
        ) : (
          <code>
            {line.map(quoted).map((word, at) => (
              // A word stays whole where a line has place for it.
              // biome-ignore lint/suspicious/noArrayIndexKey: words have no names, and may be equal.
              <Fragment key={at}>
                {at === 0 ? null : " "}
                <span className="inline-block max-w-full">{word}</span>
              </Fragment>
            ))}
          </code>
        )}
      </dd>
    </div>
  );
}

/** As a person would write it in a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./‹›-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
