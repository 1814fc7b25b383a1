const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** Lines that may continue what stands above the blank line: a list's next item, or an indented part of it. */
const CONTINUES = /^(\s+\S|[-*+]\s|\d{1,9}[.)]\s|>|\[)/;

/**
 * Cuts markdown at blank lines into parts that stand alone, so that while a text streams in only its last part is
 * parsed again. Joined with blank lines, the parts are the text.
 */
export function splitMarkdown(text: string): string[] {
  const parts: string[] = [];
  let part: string[] = [];
  let fence: string | null = null;
  let blank = false;
  for (const line of text.split("\n")) {
    if (fence === null && blank && part.length > 0 && line.trim() !== "" && !CONTINUES.test(line)) {
      parts.push(part.join("\n").trimEnd());
      part = [];
    }
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence) && line.trim() === mark) fence = null;
    }
    blank = line.trim() === "";
    if (!blank || part.length > 0) part.push(line);
  }
  if (part.length > 0) parts.push(part.join("\n").trimEnd());
  return parts.filter((each) => each !== "");
}
