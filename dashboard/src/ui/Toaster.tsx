import { CircleAlert, X } from "lucide-react";
import { useEffect, useState } from "react";
import { cx } from "../lib/cx.ts";
import { type Toast, useToasts } from "./toast.ts";

/** Long enough to read a sentence twice; an error stays longer, for it must be acted on. */
const TOAST_MS = { neutral: 5_000, red: 10_000 } as const;

function ToastRow({ toast }: { readonly toast: Toast }) {
  const dismiss = useToasts((state) => state.dismiss);
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dismiss(toast.id), TOAST_MS[toast.tone]);
    return () => clearTimeout(timer);
  }, [held, toast.id, toast.tone, dismiss]);
  return (
    <li
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      className={cx(
        "pointer-events-auto flex animate-rise items-center gap-3 rounded-md border bg-raised py-2 pr-2 pl-3 text-sm shadow-lg",
        toast.tone === "red" ? "border-red-line" : "border-line",
      )}
    >
      {toast.tone === "red" ? <CircleAlert size={16} className="shrink-0 text-red" /> : null}
      <span className="min-w-0 flex-1 wrap-break-word">{toast.text}</span>
      {toast.action === undefined ? null : (
        <button
          type="button"
          className="rounded-xs px-1.5 font-medium text-accent hover:bg-hover"
          onClick={() => {
            toast.action?.run();
            dismiss(toast.id);
          }}
        >
          {toast.action.label}
        </button>
      )}
      <button
        type="button"
        aria-label="Dismiss"
        className="rounded-xs p-1 text-text-3 hover:bg-hover hover:text-text"
        onClick={() => dismiss(toast.id)}
      >
        <X size={14} />
      </button>
    </li>
  );
}

/** Where toasts appear; a polite live region, so that they are also heard. */
export function Toaster() {
  const toasts = useToasts((state) => state.toasts);
  return (
    <ol
      aria-live="polite"
      aria-label="Notices"
      className="pointer-events-none fixed right-4 bottom-4 z-50 flex w-[min(400px,calc(100vw-32px))] flex-col gap-2 max-md:bottom-20"
    >
      {toasts.map((toast) => (
        <ToastRow key={toast.id} toast={toast} />
      ))}
    </ol>
  );
}
