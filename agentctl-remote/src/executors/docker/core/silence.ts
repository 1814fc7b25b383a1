/** What the system calls it, and what people would. */
const WORDS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such socket; is Docker running?",
  ECONNREFUSED: "nobody listens there; is Docker running?",
  EACCES: "the daemon's user may not open it; is that user in the group `docker`?",
};

/** @returns why an engine was not reached, for people; what has no words of ours keeps its own */
export function whySilent(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return WORDS[code] ?? error.message;
}
