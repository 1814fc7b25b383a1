import { type ReactNode, useEffect, useState } from "react";
import { cx } from "../lib/cx.ts";

/** Below this a wait is not seen as one, and a skeleton would only flash. */
const SKELETON_AFTER_MS = 300;

/** A grey block of the size of what will stand there. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <div aria-hidden className={cx("animate-pulse-soft rounded-sm bg-active", className)} />;
}

/** Shows its children only once the wait has lasted long enough to be noticed. */
export function Late({ children }: { readonly children: ReactNode }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return late ? (
    <div role="status" aria-label="Loading">
      {children}
    </div>
  ) : null;
}

/** Rows of a list that is on its way. */
export function SkeletonRows({
  rows = 4,
  className = "h-14",
}: {
  readonly rows?: number;
  readonly className?: string;
}) {
  return (
    <Late>
      <div className="flex flex-col gap-2">
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
          <Skeleton key={row} className={cx("w-full", className)} />
        ))}
      </div>
    </Late>
  );
}
