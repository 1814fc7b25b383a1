import { type AgentProfile, AutoResume, CreateProfile } from "@reprise/protocol";
import type { z } from "zod";

/** A profile as its form holds it: lines of text where the profile has lists. */
export interface ProfileForm {
  readonly name: string;
  readonly agent_name: string;
  readonly command: string;
  readonly args: string;
  readonly env: string;
  readonly model: string;
  readonly mode: string;
  readonly auto_resume: AutoResume;
  readonly turn_limit_min: string;
}

export function toForm(profile: AgentProfile | null): ProfileForm {
  return {
    name: profile?.name ?? "",
    agent_name: profile?.agent_name ?? "",
    command: profile?.command ?? "",
    args: profile?.args.join("\n") ?? "",
    env: Object.entries(profile?.env ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .join("\n"),
    model: profile?.model ?? "",
    mode: profile?.mode ?? "",
    auto_resume: profile?.auto_resume ?? "interrupted",
    turn_limit_min: profile?.turn_limit_s === undefined ? "" : String(profile.turn_limit_s / 60),
  };
}

export type FormResult =
  | { readonly ok: true; readonly body: z.infer<typeof CreateProfile> }
  | { readonly ok: false; readonly field: string; readonly message: string };

/** The request that a form comes to, or what is wrong with it and where. */
export function fromForm(form: ProfileForm, profile: AgentProfile | null): FormResult {
  const env: Record<string, string> = {};
  for (const line of lines(form.env)) {
    const at = line.indexOf("=");
    if (at <= 0) return { ok: false, field: "env", message: `“${line}” is not NAME=value.` };
    env[line.slice(0, at)] = line.slice(at + 1);
  }
  const name = form.name.trim();
  if (name === "") return { ok: false, field: "name", message: "Give it a name." };
  const parsed = CreateProfile.safeParse({
    name,
    agent_kind: profile?.agent_kind ?? `custom:${slug(name)}`,
    agent_name: form.agent_name.trim() || name,
    driver: profile?.driver ?? "acp",
    command: form.command.trim(),
    args: lines(form.args),
    env,
    auto_resume: form.auto_resume,
    ...(form.model.trim() === "" ? {} : { model: form.model.trim() }),
    ...(form.mode.trim() === "" ? {} : { mode: form.mode.trim() }),
    ...(form.turn_limit_min.trim() === "" ? {} : { turn_limit_s: Math.round(Number(form.turn_limit_min) * 60) }),
  });
  if (parsed.success) return { ok: true, body: parsed.data };
  const issue = parsed.error.issues[0];
  const field = String(issue?.path[0] ?? "");
  return { ok: false, field, message: MESSAGES[field] ?? issue?.message ?? "This can't be saved." };
}

const MESSAGES: Readonly<Record<string, string>> = {
  command: "Name the command that starts the agent.",
  env: "A variable's name has letters, digits and underscores only.",
  turn_limit_s: "Between 10 seconds and 24 hours, in minutes.",
  agent_kind: "The name needs at least one letter or digit.",
};

function lines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function slug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 48);
}

export function isAutoResume(value: string): value is AutoResume {
  return AutoResume.safeParse(value).success;
}
