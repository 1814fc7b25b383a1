import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { cx } from "../lib/cx.ts";
import { IconButton } from "./IconButton.tsx";

/**
 * The platform's own modal dialog: it traps focus, gives it back, makes the rest inert, and closes on Escape.
 * (A library's would inject a style element for its scroll lock, which the CSP forbids.)
 */
export function Dialog({
  open,
  onClose,
  title,
  description,
  hideTitle = false,
  className,
  children,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly hideTitle?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const textId = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog === null || !open) return;
    dialog.showModal();
    // React's autoFocus came before the dialog was shown, so it found nothing to focus.
    const first =
      dialog.querySelector<HTMLElement>("[data-autofocus]") ?? dialog.querySelector<HTMLElement>("input, textarea");
    (first ?? dialog).focus();
    return () => dialog.close();
  }, [open]);
  if (!open) return null;
  return (
    <dialog
      ref={ref}
      tabIndex={-1}
      aria-labelledby={titleId}
      aria-describedby={description === undefined ? undefined : textId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        // Not on click: a selection that is dragged out of a text field ends outside, and must not close it.
        if (event.target === ref.current) onClose();
      }}
      className={cx(
        "m-auto max-h-[calc(100dvh-32px)] w-[min(480px,calc(100vw-32px))] animate-rise overflow-visible rounded-lg border border-line bg-raised p-0 shadow-lg outline-none",
        className,
      )}
    >
      <div className="flex max-h-[inherit] flex-col">
        <header className={hideTitle ? "sr-only" : "flex items-start gap-3 px-5 pt-4"}>
          <div className="min-w-0 flex-1 pt-1">
            <h2 id={titleId} className="text-lg font-semibold">
              {title}
            </h2>
            {description === undefined ? null : (
              <div id={textId} className="mt-1 text-sm text-text-2">
                {description}
              </div>
            )}
          </div>
          {hideTitle ? null : (
            <IconButton label="Close" size="sm" onClick={onClose}>
              <X size={16} />
            </IconButton>
          )}
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** The place of a dialog's buttons: the primary one last. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2 px-5 pt-4 pb-5">{children}</div>;
}
