import { ChevronsUpDown } from "lucide-react";
import type { ComponentProps } from "react";
import { cx } from "../lib/cx.ts";
import { inputClass } from "./Field.tsx";

/** A line of text. */
export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input className={cx(inputClass, className)} autoComplete="off" spellCheck={false} {...rest} />;
}

/** Several lines of text. */
export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return <textarea className={cx(inputClass, "h-auto min-h-20 resize-y py-2 leading-5", className)} {...rest} />;
}

/** One of a few; the platform's own list, which is the best one on a phone. */
export function Select({ className, children, ...rest }: ComponentProps<"select">) {
  return (
    <span className={cx("relative block", className)}>
      <select className={cx(inputClass, "appearance-none pr-8")} {...rest}>
        {children}
      </select>
      <ChevronsUpDown
        size={14}
        className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-text-3"
      />
    </span>
  );
}
