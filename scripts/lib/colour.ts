import { styleText } from "node:util";

type Style = "red" | "green" | "yellow" | "dim" | "bold";

/** Styles text for a person at a terminal; files, pipes and CI get it plain. */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return stream.isTTY ? styleText(style, text, { stream }) : text;
}

/** Seconds for a person: `0.4 s`, `12 s`, `3 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
