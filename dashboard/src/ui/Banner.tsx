import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";

export type BannerTone = "neutral" | "accent" | "amber" | "orange" | "red" | "quiet";

const tones: Record<BannerTone, string> = {
  quiet: "border-transparent text-text-3",
  neutral: "border-line bg-surface text-text-2",
  accent: "border-accent/25 bg-accent-soft text-text",
  amber: "border-amber-line bg-amber-soft text-text",
  orange: "border-orange-line bg-orange-soft text-text",
  red: "border-red-line bg-red-soft text-text",
};

/** One sentence on how things stand, and the buttons that help. */
export function Banner({
  tone,
  icon,
  actions,
  children,
  label,
  flush = false,
}: {
  readonly tone: BannerTone;
  readonly icon?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly label?: string;
  /** From edge to edge of the bar that it stands in. */
  readonly flush?: boolean;
}) {
  return (
    <div
      role="status"
      aria-label={label}
      className={cx(
        "flex flex-wrap items-center gap-x-3 gap-y-2 text-sm",
        flush ? "min-h-11 px-4 py-2" : "rounded-md border",
        flush ? null : tone === "quiet" ? "px-1 py-0.5" : "px-3 py-2",
        tones[tone],
      )}
    >
      {icon === undefined ? null : <span className="flex shrink-0">{icon}</span>}
      <div className="min-w-48 flex-1 text-pretty wrap-break-word">{children}</div>
      {actions === undefined ? null : <div className="flex flex-wrap items-center gap-1.5">{actions}</div>}
    </div>
  );
}
