import type { LineStat } from "./tool-line.ts";

/** Lines added and removed. */
export function Stat({ stat }: { readonly stat: LineStat }) {
  return (
    <span className="tabular shrink-0 font-mono text-[11.5px]">
      <span className="sr-only">
        {stat.added} lines added, {stat.removed} removed
      </span>
      <span aria-hidden>
        <span className="text-green">+{stat.added}</span>
        {stat.removed === 0 ? null : <span className="ml-1 text-red">−{stat.removed}</span>}
      </span>
    </span>
  );
}
