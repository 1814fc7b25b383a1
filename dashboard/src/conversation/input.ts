/** A tool's input as people read it: a command as a command, the rest as what it is. */
export interface ToolInput {
  readonly label: "Command" | "Input";
  readonly text: string;
  /** What the agent says that the command is for. */
  readonly note: string | null;
}

/** @param input JSON text as the agent gave it, possibly cut @returns null where it says nothing */
export function readInput(input: string | null): ToolInput | null {
  if (input === null || input.trim() === "" || input.trim() === "{}") return null;
  const value = parse(input);
  if (value === null) return { label: "Input", text: input, note: null };
  const command = commandOf(value);
  if (command === null) return { label: "Input", text: JSON.stringify(value, null, 2), note: null };
  return { label: "Command", text: command, note: "description" in value ? textOf(value.description) : null };
}

function parse(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : null;
  } catch {
    // Cut input is no JSON any more; it reads well enough as it is.
    return null;
  }
}

function commandOf(value: object): string | null {
  if (!("command" in value)) return null;
  const { command } = value;
  if (Array.isArray(command) && command.every((part) => typeof part === "string")) {
    // Codex gives `bash -lc "..."`: what is run is its last part.
    return command[1] === "-lc" || command[1] === "-c" ? String(command[2] ?? "") : command.join(" ");
  }
  return textOf(command);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
