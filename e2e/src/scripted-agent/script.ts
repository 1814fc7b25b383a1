import { MAX_SCRIPT_LINES } from "./limits.ts";

/** One thing that the prompt asks the agent to do. */
export type Step =
  | { readonly do: "say"; readonly text: string }
  | { readonly do: "recall" }
  | { readonly do: "stream"; readonly count: number; readonly everyMs: number }
  | { readonly do: "burst"; readonly count: number }
  | { readonly do: "think" }
  | { readonly do: "tool" }
  | { readonly do: "plan" }
  | { readonly do: "approve"; readonly times: number }
  | { readonly do: "ask" }
  | { readonly do: "sleep" }
  | { readonly do: "ignore-cancel" }
  | { readonly do: "exit"; readonly code: number }
  | { readonly do: "write"; readonly file: string; readonly text: string }
  | { readonly do: "child" }
  | { readonly do: "error"; readonly text: string }
  | { readonly do: "mode" }
  | { readonly do: "unknown-update" };

const CRASH_CODE = 3;

/** Reads a prompt: one step a line or between semicolons. What is no script word is answered with an acknowledgement. */
export function readScript(prompt: string): Step[] {
  const lines = prompt.split(/[\n;]/).map((line) => line.trim());
  const steps = lines.filter((line) => line !== "");
  if (steps.length > MAX_SCRIPT_LINES) return [{ do: "say", text: `read ${steps.length} lines` }];
  return steps.map(readStep);
}

function readStep(line: string): Step {
  const [word = "", ...rest] = line.split(/\s+/);
  const after = line.slice(word.length).trim();
  switch (word) {
    case "echo":
      return { do: "say", text: after };
    case "remember":
      return { do: "say", text: `I will remember ${after}` };
    case "stream": {
      const [, count, every] = /^(\d+)(?: words)?(?: every (\d+))?/.exec(after) ?? [];
      return { do: "stream", count: Number(count ?? 10), everyMs: Number(every ?? 20) };
    }
    case "burst":
      return { do: "burst", count: Number(rest[0] ?? 100) };
    case "approve":
      return { do: "approve", times: rest[0] === "twice" ? 2 : 1 };
    case "crash":
      return { do: "exit", code: CRASH_CODE };
    case "exit":
      return { do: "exit", code: Number(rest[0] ?? 0) };
    case "write":
      return { do: "write", file: rest[0] ?? "file.txt", text: rest.slice(1).join(" ") };
    case "error":
      return { do: "error", text: after };
    case "recall":
    case "think":
    case "tool":
    case "plan":
    case "ask":
    case "sleep":
    case "ignore-cancel":
    case "child":
    case "mode":
    case "unknown-update":
      return { do: word };
    default:
      return { do: "say", text: `you said: ${line}` };
  }
}
