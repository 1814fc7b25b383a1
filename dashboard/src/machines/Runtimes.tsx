import type { NodeSummary } from "@reprise/protocol";
import { Box, CircleAlert } from "lucide-react";
import { RUNTIME_NAMES } from "../lib/runtimes.ts";

/** What sessions can run in there, and why not; a machine with its processes alone needs no words. */
export function Runtimes({ node }: { readonly node: NodeSummary }) {
  if (node.runtimes.length === 1 && node.runtimes[0]?.runtime === "standalone") return null;
  return (
    <ul aria-label={`What sessions run in on ${node.name}`} className="border-t border-line">
      {node.runtimes.map(({ runtime, status, reason }) => (
        <li key={runtime} className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5 text-sm">
          <span className="flex w-40 items-center gap-1.5 font-medium max-md:w-auto max-md:flex-1">
            <Box size={13} className="shrink-0 text-text-3" /> {RUNTIME_NAMES[runtime]}
          </span>
          <span className="flex min-w-0 flex-1 gap-1.5 text-text-3 max-md:basis-full">
            {status === "ready" ? (
              "Sessions can run in it"
            ) : (
              <>
                <span className="flex h-lh shrink-0 items-center text-red">
                  <CircleAlert size={13} />
                </span>
                <span className="wrap-anywhere">{reason ?? "It can't be had now."}</span>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
