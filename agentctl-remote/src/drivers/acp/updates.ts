import { z } from "zod";

/**
 * What we read of an agent's `session/update`. Looser than the protocol's own schema: an agent newer or sloppier than
 * it loses a field, not the message. Unknown kinds are ignored.
 */
const Loose = z.object({ type: z.string() }).loose();
const Content = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("text"), text: z.string() }),
    z.object({
      type: z.literal("image"),
      mimeType: z.string().catch("image/*"),
      uri: z.string().nullish().catch(null),
    }),
    z.object({ type: z.literal("audio"), mimeType: z.string().catch("audio/*") }),
    z.object({ type: z.literal("resource_link"), uri: z.string(), name: z.string().catch("") }),
    z.object({
      type: z.literal("resource"),
      resource: z.object({ uri: z.string(), text: z.string().optional(), mimeType: z.string().nullish() }),
    }),
  ])
  .or(Loose.transform(({ type }) => ({ type: "unknown" as const, kind: type })));
export type Content = z.infer<typeof Content>;

const ToolContent = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("content"), content: Content }),
    z.object({ type: z.literal("diff"), path: z.string(), oldText: z.string().nullish(), newText: z.string() }),
    z.object({ type: z.literal("terminal"), terminalId: z.string() }),
  ])
  .or(Loose.transform(({ type }) => ({ type: "unknown" as const, kind: type })));
export type AcpToolContent = z.infer<typeof ToolContent>;

const TOOL_KINDS = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
] as const;

const toolFields = {
  toolCallId: z.string(),
  title: z.string().nullish(),
  kind: z.enum(TOOL_KINDS).nullish().catch("other"),
  status: z.enum(["pending", "in_progress", "completed", "failed"]).nullish().catch(null),
  content: z.array(ToolContent).nullish(),
  locations: z.array(z.object({ path: z.string(), line: z.number().int().nullish().catch(null) })).nullish(),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
};
export const ToolFields = z.object(toolFields);
export type ToolFields = z.infer<typeof ToolFields>;

const chunk = { content: Content, messageId: z.string().nullish().catch(null) };

/** The updates that make items. */
const ItemUpdate = z.discriminatedUnion("sessionUpdate", [
  z.object({ sessionUpdate: z.literal("agent_message_chunk"), ...chunk }),
  z.object({ sessionUpdate: z.literal("agent_thought_chunk"), ...chunk }),
  z.object({ sessionUpdate: z.literal("user_message_chunk"), ...chunk }),
  z.object({ sessionUpdate: z.literal("tool_call"), ...toolFields }),
  z.object({ sessionUpdate: z.literal("tool_call_update"), ...toolFields }),
  z.object({
    sessionUpdate: z.literal("plan"),
    entries: z.array(
      z.object({
        content: z.string(),
        status: z.enum(["pending", "in_progress", "completed"]).catch("pending"),
        priority: z.enum(["high", "medium", "low"]).catch("medium"),
      }),
    ),
  }),
]);
export type ItemUpdate = z.infer<typeof ItemUpdate>;

export const SelectOption = z.object({ value: z.string(), name: z.string() });
export const ConfigOption = z
  .object({
    id: z.string(),
    type: z.string(),
    category: z.string().nullish(),
    currentValue: z.unknown().optional(),
    options: z.array(SelectOption.or(z.object({ options: z.array(SelectOption) }))).catch([]),
  })
  .loose();
export type ConfigOption = z.infer<typeof ConfigOption>;

/** The updates that say how the agent is set. They are not history: they hold also during a replay. */
const SettingUpdate = z.discriminatedUnion("sessionUpdate", [
  z.object({
    sessionUpdate: z.literal("available_commands_update"),
    availableCommands: z.array(z.object({ name: z.string(), description: z.string().catch("") })),
  }),
  z.object({ sessionUpdate: z.literal("current_mode_update"), currentModeId: z.string() }),
  z.object({ sessionUpdate: z.literal("config_option_update"), configOptions: z.array(ConfigOption) }),
  z.object({ sessionUpdate: z.literal("session_info_update"), title: z.string().nullish() }),
]);
export type SettingUpdate = z.infer<typeof SettingUpdate>;

const Notification = z.object({
  sessionId: z.string(),
  update: z.object({ sessionUpdate: z.string() }).loose(),
});

export type ReadUpdate =
  | { kind: "item"; session: string; update: ItemUpdate }
  | { kind: "setting"; session: string; update: SettingUpdate }
  | { kind: "ignored"; why: string };

/** Read the params of one `session/update`. Never throws. */
export function readUpdate(params: unknown): ReadUpdate {
  const outer = Notification.safeParse(params);
  if (!outer.success) return { kind: "ignored", why: "not a session update" };
  const { sessionId: session, update } = outer.data;
  const item = ItemUpdate.safeParse(update);
  if (item.success) return { kind: "item", session, update: item.data };
  const setting = SettingUpdate.safeParse(update);
  if (setting.success) return { kind: "setting", session, update: setting.data };
  return { kind: "ignored", why: update.sessionUpdate };
}
