import { parseSync, Visitor } from "oxc-parser";
import { IMPURE_CALLS, IMPURE_MEMBERS, IMPURE_OBJECTS } from "./rules.ts";

export interface Import {
  specifier: string;
  typesOnly: boolean;
  offset: number;
}

/** Every module that a source names: static, re-exporting, dynamic and `import("x")` in types. */
export function importsOf(path: string, source: string): Import[] {
  const { module, program, errors } = parseSync(path, source);
  if (errors[0]) throw new Error(`${path} can't be parsed: ${errors[0].message}`);
  const found: Import[] = module.staticImports.map((statement) => ({
    specifier: statement.moduleRequest.value,
    typesOnly: statement.entries.length > 0 && statement.entries.every((entry) => entry.isType),
    offset: statement.start,
  }));
  for (const statement of module.staticExports) {
    const named = statement.entries.filter((entry) => entry.moduleRequest);
    const specifier = named[0]?.moduleRequest?.value;
    if (specifier === undefined) continue;
    found.push({ specifier, typesOnly: named.every((entry) => entry.isType), offset: statement.start });
  }
  new Visitor({
    ImportExpression(node) {
      // A computed name could be anything; a rule that can't see it must not let it pass.
      const specifier = node.source.type === "Literal" ? String(node.source.value) : "(computed)";
      found.push({ specifier, typesOnly: false, offset: node.start });
    },
    TSImportType(node) {
      found.push({ specifier: node.source.value, typesOnly: true, offset: node.start });
    },
  }).visit(program);
  return found;
}

export interface ImpureUse {
  /** As the source has it: `crypto.randomUUID`, `Date.now`, `new Date()`. */
  text: string;
  offset: number;
}

/**
 * Uses of globals that bring a clock, randomness or the outside world. By name, so a variable called `process` is
 * taken for the global: pure code has better names for its own things.
 */
export function impureUses(path: string, source: string): ImpureUse[] {
  const { program } = parseSync(path, source);
  const uses: ImpureUse[] = [];
  new Visitor({
    MemberExpression(node) {
      if (node.object.type !== "Identifier") return;
      const object = node.object.name;
      const member = memberName(node.property);
      const text = `${object}.${member}`;
      if (IMPURE_OBJECTS.has(object) || IMPURE_MEMBERS.has(text)) uses.push({ text, offset: node.start });
    },
    NewExpression(node) {
      if (node.callee.type !== "Identifier") return;
      const { name } = node.callee;
      const readsClock = name === "Date" && node.arguments.length === 0;
      if (readsClock || IMPURE_CALLS.has(name)) uses.push({ text: `new ${name}()`, offset: node.start });
    },
    CallExpression(node) {
      if (node.callee.type !== "Identifier") return;
      const { name } = node.callee;
      if (name === "Date" || IMPURE_CALLS.has(name)) uses.push({ text: `${name}()`, offset: node.start });
    },
  }).visit(program);
  return uses;
}

function memberName(property: { type: string; name?: unknown; value?: unknown }): string {
  return String(property.type === "Literal" ? property.value : property.name);
}
