import type { ItemOf } from "@reprise/protocol";
import { ChevronDown, ListTodo } from "lucide-react";
import { useState } from "react";
import { PlanList } from "../conversation/Messages.tsx";
import { cx } from "../lib/cx.ts";

/** How far the plan is, in one line above the composer; it unfolds to the whole. Gone once all is done. */
export function PlanStrip({ plan }: { readonly plan: ItemOf<"plan"> | null }) {
  const [open, setOpen] = useState(false);
  if (plan === null || plan.entries.length === 0) return null;
  const done = plan.entries.filter((entry) => entry.status === "completed").length;
  if (done === plan.entries.length) return null;
  const now =
    plan.entries.find((entry) => entry.status === "in_progress") ??
    plan.entries.find((entry) => entry.status === "pending");
  return (
    <section aria-label="Plan so far" className="overflow-hidden rounded-md border border-line bg-surface text-sm">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-8 w-full items-center gap-2 px-3 text-left -outline-offset-2 hover:bg-hover max-md:h-10"
      >
        <ListTodo size={14} className="shrink-0 text-text-3" />
        <span className="tabular shrink-0 text-text-3">
          {done} of {plan.entries.length}
        </span>
        <span className="min-w-0 flex-1 truncate">{now?.content}</span>
        <ChevronDown size={14} className={cx("shrink-0 text-text-3 transition-transform", !open && "rotate-180")} />
      </button>
      {open ? (
        <div className="max-h-64 overflow-y-auto border-t border-line px-3 py-2.5">
          <PlanList plan={plan} />
        </div>
      ) : null}
    </section>
  );
}
