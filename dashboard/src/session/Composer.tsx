import type { SessionStatus } from "@reprise/protocol";
import { ArrowUp, Square } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { api } from "../data/api.ts";
import { cx } from "../lib/cx.ts";
import { useBusy } from "../lib/useBusy.ts";
import { isTouch } from "../lib/useMedia.ts";
import { IconButton } from "../ui/IconButton.tsx";
import { Tooltip } from "../ui/Tooltip.tsx";
import { type SessionStore, send } from "./store.ts";
import { useSessionResumption } from "./useSessionResumption.ts";

/** The box grows with its text up to here, then it scrolls. */
const MAX_HEIGHT_PX = 260;

const draftKey = (sessionId: string) => `reprise.draft.${sessionId}`;

function readDraft(sessionId: string): string {
  return sessionStorage.getItem(draftKey(sessionId)) ?? "";
}

/** Where a person says something. It stays usable whatever became of the agent or its machine. */
export function Composer({ store, status }: { readonly store: SessionStore; readonly status: SessionStatus }) {
  const sessionId = status.session_id;
  const [text, setText] = useState(() => readDraft(sessionId));
  const { busy, run } = useBusy<"cancel">();
  const ref = useRef<HTMLTextAreaElement>(null);
  const why = useSessionResumption(sessionId, status)?.waits ?? null;
  const working = status.state === "RUNNING" && status.is_agent_running;
  const empty = text.trim() === "";

  useEffect(() => {
    if (text === "") sessionStorage.removeItem(draftKey(sessionId));
    else sessionStorage.setItem(draftKey(sessionId), text);
  }, [sessionId, text]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const box = ref.current;
    if (box === null) return;
    box.style.height = "auto";
    box.style.height = `${Math.min(box.scrollHeight, MAX_HEIGHT_PX)}px`;
  }, [text]);

  const submit = () => {
    if (empty) return;
    void send(store, [{ type: "text", text: text.trim() }]);
    setText("");
    ref.current?.focus();
  };
  const cancel = () => void run("cancel", () => api.sessions.cancel(sessionId));

  return (
    <form
      aria-label="Say something"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="rounded-lg border border-line-strong bg-surface shadow-md transition-colors focus-within:border-accent/70">
        <textarea
          ref={ref}
          aria-label="Prompt"
          aria-describedby="composer-hint"
          rows={1}
          value={text}
          placeholder={`Say something to ${status.agent_name}…`}
          className="block w-full resize-none bg-transparent px-3.5 pt-3 pb-1 outline-none"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            const byTouch = isTouch();
            if (event.key === "Enter" && !event.shiftKey && !byTouch) {
              event.preventDefault();
              submit();
            } else if (event.key === "Escape" && working && empty) {
              event.preventDefault();
              cancel();
            }
          }}
        />
        <div className="flex items-center gap-2 py-1.5 pr-1.5 pl-3.5">
          <p id="composer-hint" role="status" className="min-w-0 flex-1 text-xs text-pretty text-text-3">
            {why ?? <span className="max-md:hidden">Enter sends, Shift+Enter makes a new line</span>}
          </p>
          {working ? (
            <IconButton
              label="Cancel the turn"
              keys="Esc"
              disabled={busy === "cancel"}
              onClick={cancel}
              className="border border-line-strong text-text-2"
            >
              <Square size={12} fill="currentColor" />
            </IconButton>
          ) : null}
          <Tooltip label={why === null ? "Send" : "Queue"} keys="enter" side="top">
            <button
              type="submit"
              aria-label={why === null ? "Send" : "Queue"}
              aria-disabled={empty || undefined}
              className={cx(
                "inline-flex size-(--control) shrink-0 items-center justify-center rounded-md transition-colors duration-100",
                empty ? "bg-active text-text-3" : "bg-accent-solid text-on-accent hover:bg-accent-solid-hover",
              )}
            >
              <ArrowUp size={17} strokeWidth={2.2} />
            </button>
          </Tooltip>
        </div>
      </div>
    </form>
  );
}
