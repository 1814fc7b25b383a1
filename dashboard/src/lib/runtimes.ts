import { Runtime } from "@reprise/protocol";

/** As people say it. */
export const RUNTIME_NAMES: Readonly<Record<Runtime, string>> = {
  standalone: "The machine itself",
  docker: "Docker",
};

/** @returns what a form's field means; the machine itself where it means nothing */
export function runtimeOf(value: string): Runtime {
  const parsed = Runtime.safeParse(value);
  return parsed.success ? parsed.data : "standalone";
}
