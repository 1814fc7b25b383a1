import { common, createLowlight } from "lowlight";
import { createElement, Fragment, type ReactNode } from "react";

const lowlight = createLowlight(common);
type Node = ReturnType<typeof lowlight.highlight>["children"][number];

/** Colours code by its language; what it does not know comes back as it was. */
export type Highlight = (code: string, language: string) => ReactNode;

export const highlight: Highlight = (code, language) => {
  if (!lowlight.registered(language)) return code;
  return createElement(Fragment, null, ...lowlight.highlight(language, code).children.map(toReact));
};

function toReact(node: Node, index: number): ReactNode {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return null;
  const className = node.properties["className"];
  return createElement(
    "span",
    { key: index, className: Array.isArray(className) ? className.join(" ") : undefined },
    ...node.children.map(toReact),
  );
}
