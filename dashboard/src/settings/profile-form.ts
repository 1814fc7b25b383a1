import {
  type AgentProfile,
  AutoResume,
  CreateProfile,
  Driver,
  PromptTransport,
  type UpdateProfile,
} from "@reprise/protocol";
import type { z } from "zod";

/** A profile as its form holds it: lines of text where the profile has lists. */
export interface ProfileForm {
  readonly name: string;
  readonly agent_name: string;
  readonly driver: Driver;
  readonly command: string;
  readonly args: string;
  readonly env: string;
  readonly resume_args: string;
  readonly prompt_transport: PromptTransport;
  readonly prompt_args: string;
  readonly model: string;
  readonly mode: string;
  readonly auto_resume: AutoResume;
  readonly turn_limit_min: string;
}

export function toForm(profile: AgentProfile | null): ProfileForm {
  return {
    name: profile?.name ?? "",
    agent_name: profile?.agent_name ?? "",
    driver: profile?.driver ?? "acp",
    command: profile?.command ?? "",
    args: profile?.args.join("\n") ?? "",
    env: Object.entries(profile?.env ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .join("\n"),
    resume_args: profile?.resume_args?.join("\n") ?? "",
    prompt_transport: profile?.prompt_transport ?? "argv",
    prompt_args: profile?.prompt_args?.join("\n") ?? "",
    model: profile?.model ?? "",
    mode: profile?.mode ?? "",
    auto_resume: profile?.auto_resume ?? "interrupted",
    turn_limit_min: profile?.turn_limit_s === undefined ? "" : String(profile.turn_limit_s / 60),
  };
}

type Body = z.infer<typeof CreateProfile>;

export type FormResult =
  | { readonly ok: true; readonly body: Body }
  | { readonly ok: false; readonly field: string; readonly message: string };

/**
 * The request that a form comes to, or what is wrong with it and where.
 * @param agentKind of the profile that is changed or copied; null: it is of an agent of its own
 */
export function fromForm(form: ProfileForm, agentKind: string | null): FormResult {
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
    agent_kind: agentKind ?? `custom:${slug(name)}`,
    agent_name: form.agent_name.trim() || name,
    driver: form.driver,
    command: form.command.trim(),
    args: lines(form.args),
    env,
    auto_resume: form.auto_resume,
    ...byDriver(form),
    ...(form.turn_limit_min.trim() === "" ? {} : { turn_limit_s: Math.round(Number(form.turn_limit_min) * 60) }),
  });
  if (parsed.success) return { ok: true, body: parsed.data };
  const issue = parsed.error.issues[0];
  const field = String(issue?.path[0] ?? "");
  return { ok: false, field, message: MESSAGES[field] ?? issue?.message ?? "This can't be saved." };
}

/** What the form's other fields hold is of no use to its driver. */
function byDriver(form: ProfileForm): Partial<Record<keyof Body, unknown>> {
  switch (form.driver) {
    case "acp":
      return {
        resume_args: null,
        prompt_transport: null,
        prompt_args: null,
        ...(form.model.trim() === "" ? {} : { model: form.model.trim() }),
        ...(form.mode.trim() === "" ? {} : { mode: form.mode.trim() }),
      };
    case "terminal": {
      const resume_args = lines(form.resume_args);
      return {
        resume_args: resume_args.length === 0 ? null : resume_args,
        prompt_transport: form.prompt_transport,
        prompt_args: form.prompt_transport === "argv" ? lines(form.prompt_args) : [],
      };
    }
  }
}

/** The change that makes a profile what its form says: what the form leaves out is taken away. */
export function toChange(body: Body): z.infer<typeof UpdateProfile> {
  return { mode: null, model: null, turn_limit_s: null, ...body };
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

export function isDriver(value: string): value is Driver {
  return Driver.safeParse(value).success;
}

export function isPromptTransport(value: string): value is PromptTransport {
  return PromptTransport.safeParse(value).success;
}
