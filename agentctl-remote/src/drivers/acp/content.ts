import { pathToFileURL } from "node:url";
import {
  type Item,
  MAX_EVENT_BYTES,
  MAX_ITEM_TEXT,
  MAX_TITLE_CHARS,
  MAX_TOOL_BLOCKS,
  MAX_TOOL_TEXT,
  type PromptBlocks,
  type ToolContent,
} from "@reprise/protocol";
import type { AcpToolContent, Content } from "./updates.ts";

/** Room in an event for all but its texts. */
const EVENT_ROOM = MAX_EVENT_BYTES - 32 * 1024;

/** Cut without leaving half a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}

/** A block of an answer as markdown text. */
export function asText(content: Content): string {
  switch (content.type) {
    case "text":
      return content.text;
    case "image":
      return `[image ${content.mimeType}]`;
    case "audio":
      return `[audio ${content.mimeType}]`;
    case "resource_link":
      return `[${content.name || content.uri}](${content.uri})`;
    case "resource":
      return content.resource.text ?? content.resource.uri;
    case "unknown":
      return `[${content.kind}]`;
  }
}

function toolText(text: string): ToolContent {
  return text.length > MAX_TOOL_TEXT
    ? { type: "text", text: cut(text, MAX_TOOL_TEXT), truncated: true }
    : { type: "text", text };
}

/** A tool call's content within the protocol's limits; what is cut says so. */
export function toolContent(content: AcpToolContent): ToolContent {
  switch (content.type) {
    case "content":
      if (content.content.type === "image" || content.content.type === "audio")
        return { type: "media", mime: content.content.mimeType, note: "Not shown here." };
      return toolText(asText(content.content));
    case "diff": {
      const { path, newText } = content;
      const oldText = content.oldText ?? null;
      const long = newText.length > MAX_TOOL_TEXT || (oldText?.length ?? 0) > MAX_TOOL_TEXT;
      return {
        type: "diff",
        path,
        old_text: oldText === null ? null : cut(oldText, MAX_TOOL_TEXT),
        new_text: cut(newText, MAX_TOOL_TEXT),
        ...(long ? { truncated: true } : {}),
      };
    }
    case "terminal":
      return { type: "terminal", terminal_id: content.terminalId, output: "" };
    case "unknown":
      return { type: "media", mime: content.kind, note: "A kind of content that this version doesn't know." };
  }
}

/** A call's input as readable JSON; a text stays as it is. */
export function inputText(input: unknown): string | null {
  if (input === undefined || input === null) return null;
  const text = typeof input === "string" ? input : (JSON.stringify(input, null, 2) ?? "");
  return text === "{}" ? null : cut(text, MAX_TOOL_TEXT);
}

export function toolTitle(title: string): string {
  return cut(title, MAX_TITLE_CHARS * 5);
}

function shorten(content: ToolContent, max: number): ToolContent {
  switch (content.type) {
    case "text":
      return content.text.length > max ? { ...content, text: cut(content.text, max), truncated: true } : content;
    case "diff": {
      if (content.new_text.length <= max && (content.old_text?.length ?? 0) <= max) return content;
      const old_text = content.old_text === null ? null : cut(content.old_text, max);
      return { ...content, old_text, new_text: cut(content.new_text, max), truncated: true };
    }
    case "terminal":
      return { ...content, output: cut(content.output, max) };
    case "media":
      return content;
  }
}

function bytesOf(item: Item): number {
  return Buffer.byteLength(JSON.stringify(item));
}

/** The item, cut until its event fits a frame: characters may be six bytes each in JSON. */
export function sized(item: Item): Item {
  let fitted = item;
  let max = item.kind === "tool_call" ? MAX_TOOL_TEXT : MAX_ITEM_TEXT;
  while (bytesOf(fitted) > EVENT_ROOM) {
    max = Math.floor(max / 2);
    const limit = max;
    if (fitted.kind === "tool_call") {
      const content = fitted.content.slice(0, MAX_TOOL_BLOCKS).map((one) => shorten(one, limit));
      fitted = { ...fitted, content, input: fitted.input === null ? null : cut(fitted.input, limit) };
    } else if (fitted.kind === "plan") {
      fitted = { ...fitted, entries: fitted.entries.slice(0, Math.floor(fitted.entries.length / 2)) };
    } else {
      fitted = { ...fitted, text: cut(fitted.text, limit), truncated: true };
    }
  }
  return fitted;
}

/** A prompt as ACP content: files are named, the agent reads them itself. */
export function promptContent(blocks: PromptBlocks) {
  return blocks.map((block) =>
    block.type === "text"
      ? { type: "text" as const, text: block.text }
      : {
          type: "resource_link" as const,
          uri: pathToFileURL(block.path).href,
          name: block.path.split("/").at(-1) || block.path,
        },
  );
}
