import type { ReactNode } from "react";

/** Says that there is nothing, why that is fine, and what the next step is. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center px-6 py-16 text-center">
      <div className="mb-4 flex size-11 items-center justify-center rounded-lg border border-line bg-surface text-text-3 shadow-sm">
        {icon}
      </div>
      <h2 className="text-base font-semibold">{title}</h2>
      {children === undefined ? null : <div className="mt-1 max-w-100 text-sm text-pretty text-text-3">{children}</div>}
      {action === undefined ? null : <div className="mt-5 flex gap-2">{action}</div>}
    </div>
  );
}
