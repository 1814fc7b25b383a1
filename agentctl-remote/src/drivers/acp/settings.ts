import { z } from "zod";
import type { BodyOf } from "../../host/core/types.ts";
import { cut } from "./content.ts";
import { ConfigOption, type SettingUpdate } from "./updates.ts";

type Settings = BodyOf<"agent.settings">;

/** What the answers of new, load and resume say of modes and models. `models` is of older adapters. */
const SessionAnswer = z
  .object({
    sessionId: z.string().optional(),
    modes: z
      .object({ currentModeId: z.string(), availableModes: z.array(z.object({ id: z.string(), name: z.string() })) })
      .nullish()
      .catch(null),
    models: z
      .object({
        currentModelId: z.string(),
        availableModels: z.array(z.object({ modelId: z.string(), name: z.string() })),
      })
      .nullish()
      .catch(null),
    configOptions: z.array(ConfigOption).nullish().catch(null),
  })
  .nullish()
  .catch(null);

/** How this agent is told its mode or model. */
export type Setter = { how: "mode" } | { how: "model" } | { how: "config"; config_id: string };

export interface AgentSettings {
  body: Settings;
  setMode: Setter | null;
  setModel: Setter | null;
}

export const NO_SETTINGS: AgentSettings = {
  body: { type: "agent.settings", mode: null, modes: [], model: null, models: [], commands: [] },
  setMode: null,
  setModel: null,
};

function choices(option: ConfigOption): { id: string; name: string }[] {
  return option.options
    .flatMap((one) => ("options" in one ? one.options : [one]))
    .map(({ value, name }) => ({ id: value, name }));
}

function current(option: ConfigOption): string | null {
  return typeof option.currentValue === "string" ? option.currentValue : null;
}

function withOptions(settings: AgentSettings, options: readonly ConfigOption[]): AgentSettings {
  const selects = options.filter((option) => option.type === "select");
  const mode = selects.find((option) => option.category === "mode");
  const model = selects.find((option) => option.category === "model");
  let next = settings;
  if (mode)
    next = {
      ...next,
      body: { ...next.body, mode: current(mode), modes: choices(mode).slice(0, 50) },
      setMode: next.setMode?.how === "mode" ? next.setMode : { how: "config", config_id: mode.id },
    };
  if (model)
    next = {
      ...next,
      body: { ...next.body, model: current(model), models: choices(model).slice(0, 200) },
      setModel: { how: "config", config_id: model.id },
    };
  return next;
}

/** The settings after the answer of `session/new`, `load` or `resume`. */
export function afterAnswer(settings: AgentSettings, answer: unknown): AgentSettings {
  const said = SessionAnswer.parse(answer);
  let next = settings;
  if (said?.modes)
    next = {
      ...next,
      body: { ...next.body, mode: said.modes.currentModeId, modes: said.modes.availableModes.slice(0, 50) },
      setMode: { how: "mode" },
    };
  if (said?.models)
    next = {
      ...next,
      body: {
        ...next.body,
        model: said.models.currentModelId,
        models: said.models.availableModels.slice(0, 200).map(({ modelId, name }) => ({ id: modelId, name })),
      },
      setModel: { how: "model" },
    };
  return withOptions(next, said?.configOptions ?? []);
}

/** The settings after an update; a title is told apart from them. */
export function afterUpdate(settings: AgentSettings, update: SettingUpdate): AgentSettings {
  switch (update.sessionUpdate) {
    case "available_commands_update": {
      const commands = update.availableCommands
        .slice(0, 300)
        .map(({ name, description }) => ({ name: cut(name, 200), description: cut(description, 500) }));
      return { ...settings, body: { ...settings.body, commands } };
    }
    case "current_mode_update":
      return { ...settings, body: { ...settings.body, mode: update.currentModeId } };
    case "config_option_update":
      return withOptions(settings, update.configOptions);
    case "session_info_update":
      return settings;
  }
}
