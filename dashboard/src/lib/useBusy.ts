import { useCallback, useState } from "react";
import { attempt } from "../session/actions.ts";

/** Which of a group's buttons runs; a second click meanwhile does nothing. */
export function useBusy<K extends string>(): {
  readonly busy: K | null;
  readonly run: (key: K, work: () => Promise<unknown>) => Promise<boolean>;
} {
  const [busy, setBusy] = useState<K | null>(null);
  const run = useCallback(async (key: K, work: () => Promise<unknown>) => {
    setBusy(key);
    const done = await attempt(work);
    setBusy(null);
    return done;
  }, []);
  return { busy, run };
}
