const BY_EXTENSION: Readonly<Record<string, string>> = {
  ts: "typescript", tsx: "typescript", mts: "typescript", cts: "typescript",
  js: "javascript", jsx: "javascript", mjs: "javascript", cjs: "javascript",
  json: "json", md: "markdown", css: "css", scss: "scss", less: "less", html: "xml", xml: "xml", svg: "xml", vue: "xml",
  py: "python", rb: "ruby", go: "go", rs: "rust", java: "java", kt: "kotlin", swift: "swift", c: "c", h: "c",
  cc: "cpp", cpp: "cpp", hpp: "cpp", cs: "csharp", php: "php", pl: "perl", r: "r", lua: "lua", sql: "sql",
  sh: "bash", bash: "bash", zsh: "bash", yml: "yaml", yaml: "yaml", toml: "ini", ini: "ini", graphql: "graphql",
  diff: "diff", patch: "diff", mk: "makefile",
};

/** The language of a file, by its name; null where it is none that can be coloured. */
export function languageOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (/^makefile$/i.test(name)) return "makefile";
  return BY_EXTENSION[name.slice(name.lastIndexOf(".") + 1).toLowerCase()] ?? null;
}
