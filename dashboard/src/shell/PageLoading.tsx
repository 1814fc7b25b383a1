import { Late, Skeleton } from "../ui/Skeleton.tsx";

/** What stands while a page is fetched: its header's line, and the beginning of its content. */
export function PageLoading() {
  return (
    <Late>
      <div className="flex h-12 items-center border-b border-line px-5">
        <Skeleton className="h-4 w-40" />
      </div>
      <div className="flex flex-col gap-3 p-5">
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-4 w-1/2" />
        <Skeleton className="h-4 w-3/5" />
      </div>
    </Late>
  );
}
