import type { HTMLAttributes } from "react";
import { cx } from "../lib/cx.ts";

/** A quiet surface that holds one thing. */
export function Card({ className, ...rest }: HTMLAttributes<HTMLDivElement>) {
  return <div className={cx("rounded-lg border border-line bg-surface", className)} {...rest} />;
}

/** A titled part of a page; its heading names it. */
export function Section({
  title,
  hint,
  actions,
  children,
}: {
  readonly title: string;
  readonly hint?: string;
  readonly actions?: React.ReactNode;
  readonly children: React.ReactNode;
}) {
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <div className="flex items-end justify-between gap-4">
        <div>
          <h2 className="text-base font-semibold">{title}</h2>
          {hint === undefined ? null : <p className="mt-0.5 text-sm text-text-3">{hint}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}
