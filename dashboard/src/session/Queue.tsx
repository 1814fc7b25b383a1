import { promptText } from "@reprise/protocol";
import { CircleAlert, Clock, Pencil, RotateCcw, Trash2 } from "lucide-react";
import { useState } from "react";
import { api } from "../data/api.ts";
import { useBusy } from "../lib/useBusy.ts";
import { Button } from "../ui/Button.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { Textarea } from "../ui/Input.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import type { Waiting } from "./prompts.ts";
import { forget, type SessionStore, send, sendAgain } from "./store.ts";

/** Prompts that wait: to be read, changed and taken back until the agent has them. */
export function Queue({
  store,
  queue,
  held,
  running,
}: {
  readonly store: SessionStore;
  readonly queue: readonly Waiting[];
  readonly held: boolean;
  /** An agent is there that could take it. */
  readonly running: boolean;
}) {
  const { busy, run } = useBusy<"release">();
  if (queue.length === 0) return null;
  return (
    <section aria-label="Queue" className="overflow-hidden rounded-md border border-line bg-surface">
      <header className="flex min-h-8 items-center gap-1.5 border-b border-line px-3 text-xs text-text-3">
        <Clock size={13} />
        <h2 className="flex-1">
          {held ? "Held" : "Queued"} · {queue.length}
        </h2>
        {held && running ? (
          <Button
            size="sm"
            variant="ghost"
            busy={busy === "release"}
            onClick={() => void run("release", () => api.sessions.recovery(store.sessionId, "release"))}
          >
            Send now
          </Button>
        ) : null}
      </header>
      <ol className="max-h-44 divide-y divide-line overflow-y-auto">
        {queue.map((prompt) => (
          <QueueRow key={prompt.prompt_id} store={store} prompt={prompt} />
        ))}
      </ol>
    </section>
  );
}

function QueueRow({ store, prompt }: { readonly store: SessionStore; readonly prompt: Waiting }) {
  const { sessionId } = store;
  const [draft, setDraft] = useState<string | null>(null);
  const { busy, run } = useBusy<"save" | "remove" | "send">();
  const text = promptText(prompt.blocks);
  const unsent = prompt.state === "unsent";
  const changeable = prompt.state === "queued";

  const save = () => {
    const next = (draft ?? "").trim();
    if (next === "" || next === text) {
      setDraft(null);
      return;
    }
    const files = prompt.blocks.filter((block) => block.type === "file");
    void run("save", () =>
      api.sessions.editPrompt(sessionId, prompt.prompt_id, [{ type: "text", text: next }, ...files]),
    ).then((done) => done && setDraft(null));
  };
  if (draft !== null) {
    return (
      <li className="flex flex-col gap-2 p-2">
        <Textarea
          aria-label="Queued prompt"
          autoFocus
          value={draft}
          rows={2}
          className="min-h-0"
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") setDraft(null);
            else if (event.key === "Enter" && !event.shiftKey) save();
            else return;
            event.preventDefault();
          }}
        />
        <div className="flex justify-end gap-1.5">
          <Button size="sm" variant="ghost" onClick={() => setDraft(null)}>
            Cancel
          </Button>
          <Button size="sm" variant="primary" busy={busy === "save"} onClick={save}>
            Save
          </Button>
        </div>
      </li>
    );
  }
  return (
    <li className="group/q flex items-center gap-1 py-1 pr-1.5 pl-3 text-sm">
      {prompt.state === "sending" ? <Spinner size={13} label="Sending" /> : null}
      <span className="min-w-0 flex-1 truncate">{text}</span>
      {prompt.note === null ? null : (
        <span className="max-w-[45%] truncate text-xs text-amber" title={prompt.note}>
          {prompt.note}
        </span>
      )}
      {prompt.state === "sent" || prompt.state === "accepted" ? (
        <span className="px-1.5 text-xs text-text-3">on its way</span>
      ) : null}
      {unsent ? (
        <Button
          size="sm"
          busy={busy === "send"}
          onClick={() => void run("send", () => sendAgain(store, prompt.prompt_id))}
        >
          Send again
        </Button>
      ) : null}
      {changeable ? (
        <IconButton label="Edit" size="sm" onClick={() => setDraft(text)}>
          <Pencil size={14} />
        </IconButton>
      ) : null}
      {changeable || unsent ? (
        <IconButton
          label="Remove"
          size="sm"
          disabled={busy === "remove"}
          onClick={() =>
            unsent
              ? forget(store, prompt.prompt_id)
              : void run("remove", () => api.sessions.removePrompt(sessionId, prompt.prompt_id))
          }
        >
          <Trash2 size={14} />
        </IconButton>
      ) : null}
    </li>
  );
}

/** A prompt of which nobody knows whether the agent had it: never sent again without a person. */
export function UnsurePrompts({
  store,
  unsure,
}: {
  readonly store: SessionStore;
  readonly unsure: readonly Waiting[];
}) {
  const { sessionId } = store;
  const { busy, run } = useBusy<string>();
  return unsure.map((prompt) => (
    <section
      key={prompt.prompt_id}
      aria-label="Prompt of unknown outcome"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-amber-line bg-amber-soft px-3 py-2 text-sm"
    >
      <CircleAlert size={16} className="shrink-0 text-amber" />
      <div className="min-w-48 flex-1">
        <p className="truncate font-medium">{promptText(prompt.blocks)}</p>
        <p className="text-xs text-text-2">
          {prompt.note ?? "The agent ended while it had this prompt. Nobody knows how much of it was done."} Sending it
          again may repeat work.
        </p>
      </div>
      <div className="flex gap-1.5">
        <Button
          size="sm"
          busy={busy === `again:${prompt.prompt_id}`}
          icon={<RotateCcw size={13} />}
          onClick={() =>
            void run(`again:${prompt.prompt_id}`, async () => {
              const arrived = await send(store, prompt.blocks);
              if (arrived) await api.sessions.removePrompt(sessionId, prompt.prompt_id);
            })
          }
        >
          Retry
        </Button>
        <Button
          size="sm"
          variant="ghost"
          busy={busy === `drop:${prompt.prompt_id}`}
          onClick={() =>
            void run(`drop:${prompt.prompt_id}`, () => api.sessions.removePrompt(sessionId, prompt.prompt_id))
          }
        >
          Discard
        </Button>
      </div>
    </section>
  ));
}
