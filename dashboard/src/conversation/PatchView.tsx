import { useMemo } from "react";
import { DiffTable } from "./DiffTable.tsx";
import { hunksOfPatch } from "./patch.ts";

/** A file's change as git tells it. */
export default function PatchView({ path, patch }: { readonly path: string; readonly patch: string }) {
  const hunks = useMemo(() => hunksOfPatch(patch), [patch]);
  return <DiffTable path={path} hunks={hunks} />;
}
