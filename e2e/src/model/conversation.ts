/** A tool that the agent offers to the model, reduced to what the stand-in needs to call it. */
export type OfferedTool = {
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Codex's free-form tools take a text instead of JSON arguments. */
  readonly freeform: boolean;
  /** Codex groups some tools: a call then names the group too. */
  readonly namespace?: string;
};

/** What one piece of a conversation is, whatever API it came through. */
export type Piece =
  | { readonly kind: "user"; readonly text: string }
  | { readonly kind: "assistant"; readonly text: string }
  | { readonly kind: "tool_call"; readonly text: string }
  | { readonly kind: "tool_result"; readonly text: string };

/** One request of any of the four APIs, in one shape. */
export type Conversation = {
  readonly pieces: readonly Piece[];
  readonly system: string;
  readonly tools: readonly OfferedTool[];
  readonly stream: boolean;
  /** The client asked for JSON of a given form (Claude Code's titles do). */
  readonly wantsJson: boolean;
};

const WRAPPED = /<([a-z][\w-]*)(?:\s[^>]*)?>[\s\S]*?<\/\1>/g;

/**
 * Takes away what agents wrap around a person's words (`<system-reminder>`, `<environment_context>` and so on),
 * so that scripted behaviour comes from the person's words alone.
 */
export function personsWords(text: string): string {
  return text.replace(WRAPPED, " ").trim();
}

/** The person's last words, and whether a tool has answered since. */
export function lastPrompt(pieces: readonly Piece[]): { text: string; toolAnswered: boolean } {
  let toolAnswered = false;
  for (const piece of [...pieces].reverse()) {
    if (piece.kind === "tool_result") toolAnswered = true;
    if (piece.kind !== "user") continue;
    const text = personsWords(piece.text);
    if (text !== "") return { text, toolAnswered };
  }
  return { text: "", toolAnswered };
}

/** Every codeword of the conversation, each once, in the order in which they first stand there. */
export function codewords(pieces: readonly Piece[]): string[] {
  const all = pieces.flatMap((piece) => piece.text.match(/CODEWORD-\w+/g) ?? []);
  return [...new Set(all)];
}
