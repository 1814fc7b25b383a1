import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { cx } from "../lib/cx.ts";

const KEY_STEP = 24;

/** The line between two panes: dragged, moved with the arrow keys, and reset by a double click. */
export function Splitter({
  label,
  value,
  min,
  max,
  reset,
  onChange,
}: {
  readonly label: string;
  /** Width in pixels of the pane to the right of the line. */
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly reset: number;
  readonly onChange: (value: number) => void;
}) {
  const from = useRef<{ readonly x: number; readonly value: number } | null>(null);
  const set = (next: number) => onChange(Math.round(Math.min(max, Math.max(min, next))));
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, value };
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (from.current !== null) set(from.current.value + from.current.x - event.clientX);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === "ArrowLeft") set(value + KEY_STEP);
    else if (event.key === "ArrowRight") set(value - KEY_STEP);
    else if (event.key === "Home") set(max);
    else if (event.key === "End") set(min);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr can't be focused and moved; this is the window splitter pattern
    <div
      role="separator"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        from.current = null;
      }}
      onPointerCancel={() => {
        from.current = null;
      }}
      onDoubleClick={() => set(reset)}
      onKeyDown={onKeyDown}
      className={cx(
        "group relative z-10 -mx-1 w-2 shrink-0 cursor-col-resize touch-none outline-none",
        "before:absolute before:inset-y-0 before:left-1/2 before:w-px before:bg-line before:transition-colors",
        "hover:before:w-0.5 hover:before:-translate-x-px hover:before:bg-accent/60 focus-visible:before:w-0.5 focus-visible:before:bg-accent active:before:w-0.5 active:before:bg-accent",
      )}
    />
  );
}
