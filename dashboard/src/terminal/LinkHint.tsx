import { useStore } from "zustand";
import { useMedia } from "../lib/useMedia.ts";
import { Kbd } from "../ui/Kbd.tsx";
import type { TerminalView } from "./view.ts";

/** Where a link leads, whatever words it hides behind (S5), and how to follow it. */
export function LinkHint({ view }: { readonly view: TerminalView }) {
  const link = useStore(view, (state) => state.link);
  const coarse = useMedia("(pointer: coarse)");
  if (link === null || coarse) return null;
  return (
    <div
      role="tooltip"
      className="pointer-events-none fixed z-40 flex max-w-120 -translate-y-full animate-fade items-center gap-2 rounded-sm border border-line bg-raised px-2 py-1 text-xs text-text shadow-md"
      style={{ left: `min(${link.x}px, 100vw - 480px)`, top: link.y - 12 }}
    >
      <span className="truncate font-mono text-[11.5px]">{link.href}</span>
      <span className="flex shrink-0 items-center gap-1 text-text-3">
        <Kbd keys="mod" /> click
      </span>
    </div>
  );
}
