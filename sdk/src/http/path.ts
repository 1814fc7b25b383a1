/** A path with its parts escaped: ids come from URLs and people, and must not reach another route. */
export function at(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return parts.reduce((path, part, index) => path + encodeURIComponent(values[index - 1] ?? "") + part);
}
