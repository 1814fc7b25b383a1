/** A word as a shell reads it back, whatever is in it. A NUL, which no process can be given, is left out. */
export function quoted(word: string): string {
  return `'${word.replaceAll("\0", "").replaceAll("'", `'\\''`)}'`;
}
