import type { Presence } from "@reprise/protocol";
import { cx } from "../lib/cx.ts";

const WORDS: Record<Presence, string> = { online: "online", reconnecting: "reconnecting", offline: "offline" };

/** Whether a machine is there: filled, half, or hollow. */
export function PresenceDot({ presence }: { readonly presence: Presence }) {
  return (
    <span
      role="img"
      aria-label={WORDS[presence]}
      className={cx(
        "inline-block size-2 shrink-0 rounded-full",
        presence === "online" && "bg-green",
        presence === "reconnecting" &&
          "animate-pulse-soft border-[1.5px] border-amber bg-amber/30 motion-reduce:animate-none",
        presence === "offline" && "border-[1.5px] border-text-3",
      )}
    />
  );
}
