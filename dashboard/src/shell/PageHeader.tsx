import type { ReactNode } from "react";

/** The line at a page's top: its name, a word on how things are, and what can be done. */
export function PageHeader({
  title,
  hint,
  children,
}: {
  readonly title: ReactNode;
  readonly hint?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line px-5 max-md:h-14 max-md:px-4">
      <h1 className="truncate text-base font-semibold">{title}</h1>
      {hint === undefined ? null : <span className="truncate text-sm text-text-3">{hint}</span>}
      <div className="ml-auto flex shrink-0 items-center gap-2">{children}</div>
    </header>
  );
}
