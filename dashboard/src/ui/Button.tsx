import type { ButtonHTMLAttributes, ReactNode } from "react";
import { cx } from "../lib/cx.ts";
import { Spinner } from "./Spinner.tsx";

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = "sm" | "md";

const base =
  "inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-sm font-medium transition-[background-color,border-color,color,box-shadow] duration-100 active:translate-y-px disabled:pointer-events-none disabled:opacity-50 aria-disabled:opacity-50";

const variants: Record<ButtonVariant, string> = {
  primary:
    "bg-accent-solid text-on-accent shadow-sm hover:bg-accent-solid-hover [box-shadow:inset_0_1px_0_oklch(1_0_0/0.14),var(--shadow-sm)]",
  secondary: "border border-line-strong bg-raised text-text shadow-sm hover:bg-sunken",
  ghost: "text-text-2 hover:bg-hover hover:text-text",
  danger: "bg-red-solid text-on-accent shadow-sm hover:brightness-110",
};

const sizes: Record<ButtonSize, string> = {
  sm: "h-(--control-sm) px-2.5 text-xs",
  md: "h-(--control) px-3 text-sm",
};

/** The classes of a button, for links that look like one. */
export function buttonClass(variant: ButtonVariant, size: ButtonSize = "md"): string {
  return cx(base, variants[variant], sizes[size]);
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  readonly icon?: ReactNode;
  /** While true the click is answered by a spinner, and a second one does nothing. */
  readonly busy?: boolean;
}

/** A button that keeps its width and its focus while its work runs. */
export function Button({
  variant = "secondary",
  size = "md",
  icon,
  busy = false,
  className,
  children,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      className={cx(base, variants[variant], sizes[size], className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
      {...rest}
    >
      {busy ? <Spinner size={14} /> : icon}
      {children}
    </button>
  );
}
