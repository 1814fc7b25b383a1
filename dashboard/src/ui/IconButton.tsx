import type { ButtonHTMLAttributes, ReactNode } from "react";
import { cx } from "../lib/cx.ts";
import { Tooltip } from "./Tooltip.tsx";

export interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** What it does, in words: the accessible name and the tooltip. */
  readonly label: string;
  readonly keys?: string;
  /** Without a tooltip: for a menu's trigger, where it would come back with the focus each time the menu closes. */
  readonly plain?: boolean;
  readonly size?: "sm" | "md";
  readonly children: ReactNode;
}

/** A button that shows an icon alone, and says in its tooltip what it does. */
export function IconButton({
  label,
  keys,
  plain = false,
  size = "md",
  className,
  children,
  type = "button",
  ...rest
}: IconButtonProps) {
  const button = (
    <button
      type={type}
      aria-label={label}
      className={cx(
        "inline-flex shrink-0 items-center justify-center rounded-sm text-text-3 transition-colors duration-100 hover:bg-hover hover:text-text disabled:pointer-events-none disabled:opacity-40 data-[state=open]:bg-active data-[state=open]:text-text",
        size === "md" ? "size-(--control)" : "size-(--control-sm)",
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  );
  if (plain) return button;
  return (
    <Tooltip label={label} keys={keys}>
      {button}
    </Tooltip>
  );
}
