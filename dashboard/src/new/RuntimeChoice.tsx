import type { Runtime, RuntimeInfo } from "@reprise/protocol";
import { RUNTIME_NAMES, runtimeOf } from "../lib/runtimes.ts";
import { Field } from "../ui/Field.tsx";
import { Select } from "../ui/Input.tsx";

/** What the session runs in, where the machine offers more than one thing. */
export function RuntimeChoice({
  offered,
  value,
  onChange,
}: {
  readonly offered: readonly RuntimeInfo[];
  readonly value: Runtime;
  readonly onChange: (runtime: Runtime) => void;
}) {
  const chosen = offered.find((each) => each.runtime === value);
  return (
    <Field label="Runs in" hint={chosen?.reason ?? undefined}>
      {(ids) => (
        <Select {...ids} value={value} onChange={(event) => onChange(runtimeOf(event.target.value))}>
          {offered.map(({ runtime, status }) => (
            <option key={runtime} value={runtime}>
              {RUNTIME_NAMES[runtime]}
              {status === "ready" ? "" : " (unavailable)"}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
