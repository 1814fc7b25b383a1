import { z } from "zod";
import type { OfferedTool, Piece } from "./conversation.ts";
import type { ShellCall } from "./script.ts";

const textBlock = z.looseObject({ text: z.string() });

/** The text of a content field, which in every API is a string or a list of blocks. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content === undefined || content === null ? "" : JSON.stringify(content);
  return content.map((block: unknown) => textBlock.safeParse(block).data?.text ?? "").join("\n");
}

/** The properties of a tool's JSON schema. */
export function propertiesOf(schema: unknown): Record<string, unknown> {
  const parsed = z.looseObject({ properties: z.record(z.string(), z.unknown()) }).safeParse(schema);
  return parsed.data?.properties ?? {};
}

/** A plain tool, called with JSON arguments. */
export function jsonTool(name: string, schema: unknown): OfferedTool {
  return { name, properties: propertiesOf(schema), freeform: false };
}

/** A piece said by the person or by the model. */
export function said(role: string, text: string): Piece {
  return role === "assistant" || role === "model" ? { kind: "assistant", text } : { kind: "user", text };
}

/** The arguments with which an agent's shell tool runs a command, by what its schema asks for. */
export function shellArguments(tool: OfferedTool, { command, escalate }: ShellCall): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  const commandSchema = z.looseObject({ type: z.unknown().optional() }).safeParse(tool.properties.command).data;
  if ("cmd" in tool.properties) args.cmd = command;
  else args.command = commandSchema?.type === "array" ? ["bash", "-lc", command] : command;
  if ("description" in tool.properties) args.description = "Run the asked command";
  if (escalate && "sandbox_permissions" in tool.properties) {
    args.sandbox_permissions = "require_escalated";
    args.justification = "May I run the asked command?";
  }
  return args;
}
