/**
 * A clipboard's text as it may be typed into a program (S5): with an escape in it, it could end its own bracket and go on
 * as commands. Tabs and line ends stay.
 */
export function pasteable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
  return text.replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f]/g, "");
}
