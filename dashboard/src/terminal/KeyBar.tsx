import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, ClipboardPaste, Copy, Search } from "lucide-react";
import type { ReactNode } from "react";
import { useStore } from "zustand";
import { cx } from "../lib/cx.ts";
import { toast } from "../ui/toast.ts";
import { afterKey, BAR_KEYS, type BarKey, barBytes, tapCtrl } from "./keys.ts";
import type { OpenTerminal } from "./useTerminal.ts";
import type { TerminalView } from "./view.ts";

const FACES: Readonly<Record<BarKey, { readonly label: string; readonly face: ReactNode }>> = {
  esc: { label: "Escape", face: "esc" },
  tab: { label: "Tab", face: "tab" },
  shift_tab: { label: "Shift Tab", face: "⇧tab" },
  left: { label: "Left", face: <ArrowLeft size={16} /> },
  up: { label: "Up", face: <ArrowUp size={16} /> },
  down: { label: "Down", face: <ArrowDown size={16} /> },
  right: { label: "Right", face: <ArrowRight size={16} /> },
};

/** The keys that a phone's keyboard lacks; Ctrl holds for the next key, tapped twice for all. */
export function KeyBar({
  opened: { pane, screen },
  view,
  takesKeys,
}: {
  readonly opened: OpenTerminal;
  readonly view: TerminalView;
  readonly takesKeys: boolean;
}) {
  const ctrl = useStore(view, (state) => state.ctrl);
  const selected = useStore(view, (state) => state.selected);
  const press = (key: BarKey) => {
    pane.input(new TextEncoder().encode(barBytes(key, ctrl, screen.applicationKeys)));
    view.setState({ ctrl: afterKey(ctrl) });
  };
  const paste = () =>
    void navigator.clipboard.readText().then(
      (text) => screen.paste(text),
      () => toast("The browser does not allow pasting here. Paste by its own menu.", { tone: "red" }),
    );
  return (
    <div
      role="toolbar"
      aria-label="Keys"
      className="flex shrink-0 gap-1 overflow-x-auto border-t border-line bg-surface px-1.5 py-1.5"
    >
      {takesKeys ? (
        <>
          <BarButton
            label="Ctrl"
            pressed={ctrl !== "off"}
            held={ctrl === "held"}
            onPress={() => view.setState({ ctrl: tapCtrl(ctrl) })}
          >
            ctrl
          </BarButton>
          {BAR_KEYS.map((key) => (
            <BarButton key={key} label={FACES[key].label} onPress={() => press(key)}>
              {FACES[key].face}
            </BarButton>
          ))}
          <BarButton label="Paste" onPress={paste}>
            <ClipboardPaste size={16} />
          </BarButton>
          <BarButton label="Find" onPress={() => view.setState({ finding: true })}>
            <Search size={16} />
          </BarButton>
        </>
      ) : null}
      {selected ? (
        <BarButton label="Copy" onPress={() => screen.copy()}>
          <Copy size={16} />
        </BarButton>
      ) : null}
    </div>
  );
}

function BarButton({
  label,
  pressed,
  held = false,
  onPress,
  children,
}: {
  readonly label: string;
  readonly pressed?: boolean;
  readonly held?: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={pressed}
      // The keyboard stays as it is, open or closed.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPress}
      className={cx(
        "flex h-9 min-w-9.5 flex-1 items-center justify-center rounded-sm border px-1 font-mono text-[13px] transition-colors duration-75 active:bg-active",
        pressed === true ? "border-accent bg-accent-soft text-accent" : "border-line-strong bg-raised text-text-2",
        held && "underline underline-offset-4",
      )}
    >
      {children}
    </button>
  );
}
