import { CircleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";
import { cx } from "../lib/cx.ts";

export interface FieldIds {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

/** A label, its control, and below it the hint, or what is wrong; the control gets the ids that tie them. */
export function Field({
  label,
  hint,
  error,
  optional = false,
  children,
}: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly optional?: boolean;
  readonly children: (ids: FieldIds) => ReactNode;
}) {
  const id = useId();
  const textId = useId();
  const hasText = hint !== undefined || error !== undefined;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
        {optional ? <span className="ml-1.5 font-normal text-text-3">optional</span> : null}
      </label>
      {children({
        id,
        "aria-describedby": hasText ? textId : undefined,
        "aria-invalid": error === undefined ? undefined : true,
      })}
      {hasText ? (
        <div
          id={textId}
          className={cx("flex items-start gap-1.5 text-xs", error === undefined ? "text-text-3" : "text-red")}
        >
          {error === undefined ? null : <CircleAlert size={14} className="mt-px shrink-0" />}
          <span>{error ?? hint}</span>
        </div>
      ) : null}
    </div>
  );
}

export const inputClass =
  "h-(--control) w-full rounded-sm border border-line-strong bg-surface px-2.5 text-sm text-text shadow-sm transition-colors hover:border-text-3/60 focus:border-accent focus:outline-2 focus:-outline-offset-1 focus:outline-accent/40 aria-invalid:border-red disabled:opacity-50 max-md:text-base";
