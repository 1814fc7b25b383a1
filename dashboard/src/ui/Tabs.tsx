import { Tabs as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";

export interface TabSpec {
  readonly id: string;
  readonly label: string;
  readonly count?: number | undefined;
  /** It can't be used now; what stands in the way is said beside the tabs or in their place. */
  readonly disabled?: boolean | undefined;
  /** Fills the panel itself: no scrolling around it. */
  readonly fills?: boolean | undefined;
  readonly content: ReactNode;
}

/** Tabs with their panels; the row scrolls sideways where it does not fit. */
export function Tabs({
  tabs,
  value,
  onChange,
  label,
  actions,
}: {
  readonly tabs: readonly TabSpec[];
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly label: string;
  readonly actions?: ReactNode;
}) {
  return (
    <Primitive.Root value={value} onValueChange={onChange} className="flex h-full min-h-0 flex-col">
      <div className="flex h-12 shrink-0 items-center gap-2 border-b border-line px-3">
        <Primitive.List aria-label={label} className="flex h-full min-w-0 flex-1 gap-1 overflow-x-auto">
          {tabs.map((tab) => (
            <Primitive.Trigger
              key={tab.id}
              value={tab.id}
              disabled={tab.disabled === true}
              className="relative flex disabled:opacity-50 h-full items-center gap-1.5 px-2 text-sm text-text-3 -outline-offset-2 transition-colors hover:text-text data-[state=active]:font-medium data-[state=active]:text-text data-[state=active]:after:absolute data-[state=active]:after:inset-x-2 data-[state=active]:after:bottom-0 data-[state=active]:after:h-0.5 data-[state=active]:after:rounded-full data-[state=active]:after:bg-accent"
            >
              {tab.label}
              {tab.count === undefined || tab.count === 0 ? null : (
                <span className="tabular rounded-full bg-active px-1.5 text-[11px] leading-4 font-medium text-text-2">
                  {tab.count}
                </span>
              )}
            </Primitive.Trigger>
          ))}
        </Primitive.List>
        {actions}
      </div>
      {tabs.map((tab) => (
        <Primitive.Content
          key={tab.id}
          value={tab.id}
          className={cx("min-h-0 flex-1 outline-none", tab.fills !== true && "scroll-y")}
          tabIndex={-1}
        >
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}
