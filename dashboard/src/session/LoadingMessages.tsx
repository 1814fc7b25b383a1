import { Skeleton } from "../ui/Skeleton.tsx";

/** A conversation that is on its way. */
export function LoadingMessages() {
  return (
    <div className="mx-auto flex w-full max-w-200 flex-col gap-4 px-6 pt-8">
      <Skeleton className="h-10 w-1/2 self-end" />
      <Skeleton className="h-4 w-11/12" />
      <Skeleton className="h-4 w-4/5" />
      <Skeleton className="h-4 w-2/3" />
      <Skeleton className="h-7 w-full" />
      <Skeleton className="h-7 w-full" />
    </div>
  );
}
