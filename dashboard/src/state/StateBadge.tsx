import { type Display, type DisplayKind, display, type SessionStatus } from "@reprise/protocol";
import type { ReactNode } from "react";
import { useNow } from "../lib/clock.ts";
import { cx } from "../lib/cx.ts";
import { fullTime, span } from "../lib/time.ts";
import { Spinner } from "../ui/Spinner.tsx";

const TONES: Record<Display["tone"], string> = {
  amber: "text-amber",
  accent: "text-accent",
  green: "text-green",
  grey: "text-text-3",
  orange: "text-orange",
  red: "text-red",
};

/** The shape of a state: told apart without colour. */
export function StateShape({
  kind,
  tone,
  faded,
}: {
  readonly kind: DisplayKind;
  readonly tone: Display["tone"];
  readonly faded: boolean;
}) {
  return (
    <span
      className={cx("inline-flex size-4 shrink-0 items-center justify-center", TONES[tone], faded && "opacity-60")}
      aria-hidden
    >
      {shape(kind, faded)}
    </span>
  );
}

/** A shape drawn in its tone's line. */
function Outline({ width, children }: { readonly width: string; readonly children: ReactNode }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 16 16"
      className="size-3.5"
      fill="none"
      stroke="currentColor"
      strokeWidth={width}
      strokeLinecap="round"
    >
      {children}
    </svg>
  );
}

function shape(kind: DisplayKind, faded: boolean) {
  const ring = faded ? { strokeDasharray: "2.4 2" } : {};
  switch (kind) {
    case "needs_you":
      return (
        <svg aria-hidden viewBox="0 0 16 16" className="size-3.5">
          <circle cx="8" cy="8" r="7" className="fill-amber-fill" />
          <path d="M8 4.4v4.2M8 11.2v.2" stroke="oklch(0.25 0.05 70)" strokeWidth="1.9" strokeLinecap="round" />
        </svg>
      );
    case "working":
      return (
        <svg aria-hidden viewBox="0 0 16 16" className="size-3.5">
          <circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" strokeWidth="1.4" opacity="0.4" {...ring} />
          <circle
            cx="8"
            cy="8"
            r="3.6"
            fill="currentColor"
            className={faded ? "" : "animate-pulse-soft motion-reduce:animate-none"}
          />
        </svg>
      );
    case "your_turn":
      return (
        <svg aria-hidden viewBox="0 0 16 16" className="size-3.5">
          <circle cx="8" cy="8" r="5.8" fill="none" stroke="currentColor" strokeWidth="1.8" {...ring} />
        </svg>
      );
    case "starting":
    case "resuming":
      return <Spinner size={13} />;
    case "interrupted":
      return (
        <Outline width="1.8">
          <path d="M6 2.5A5.9 5.9 0 0 0 6 13.500M10 2.500a5.9 5.9 0 0 1 0 11" {...ring} />
          <path d="M8 5.200v5.6" />
        </Outline>
      );
    case "cant_resume":
      return (
        <Outline width="1.6">
          <circle cx="8" cy="8" r="5.9" {...ring} />
          <path d="m4 12 8-8" />
        </Outline>
      );
    case "failed":
      return (
        <Outline width="1.8">
          <circle cx="8" cy="8" r="5.9" {...ring} />
          <path d="m6 6 4 4m0-4-4 4" />
        </Outline>
      );
    case "timed_out":
      return (
        <Outline width="1.8">
          <circle cx="8" cy="8" r="5.9" {...ring} />
          <path d="M8 5v3.2l2 1.3" />
        </Outline>
      );
    case "stopped":
      return (
        <svg aria-hidden viewBox="0 0 16 16" className="size-3.5">
          <circle cx="8" cy="8" r="5.9" fill="none" stroke="currentColor" strokeWidth="1.6" />
          <rect x="5.9" y="5.9" width="4.2" height="4.2" rx="0.8" fill="currentColor" />
        </svg>
      );
    case "done":
      return (
        <Outline width="1.7">
          <circle cx="8" cy="8" r="5.9" />
          <path d="m5.6 8.2 1.7 1.7 3.2-3.6" strokeLinejoin="round" />
        </Outline>
      );
  }
}

/** How a session is, the same everywhere: a word, a shape, a colour, and since when. */
export function StateBadge({
  status,
  compact = false,
}: {
  readonly status: SessionStatus;
  readonly compact?: boolean;
}) {
  const now = useNow();
  const shown = display(status);
  const countdown = shown.retry_at === null ? null : Math.max(0, shown.retry_at - now);
  return (
    <span
      data-testid="state"
      data-state={shown.kind}
      data-last-known={shown.last_known || undefined}
      className={cx(
        "inline-flex min-w-0 items-center gap-1.5 whitespace-nowrap text-sm",
        shown.last_known && "rounded-full border border-dashed border-line-strong py-px pr-2 pl-1",
      )}
    >
      <StateShape kind={shown.kind} tone={shown.tone} faded={shown.last_known} />
      <span className={cx("truncate font-medium", shown.last_known ? "text-text-3" : TONES[shown.tone])}>
        {shown.label}
        {countdown === null ? null : (
          <span className="tabular">{countdown === 0 ? " now" : ` in ${span(countdown + 999)}`}</span>
        )}
      </span>
      {compact || countdown !== null ? null : (
        <span className="tabular text-text-3" title={fullTime(shown.since)}>
          {span(now - shown.since)}
          {shown.last_known ? " ago" : ""}
        </span>
      )}
    </span>
  );
}
