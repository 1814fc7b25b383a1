import { z } from "zod";
import { AgentProfile, LaunchSpec } from "../agents/profile.ts";
import { AutoResume } from "../states.ts";

export const ProfileList = z.object({ profiles: z.array(AgentProfile) });
export const CreateProfile = LaunchSpec.extend({
  name: z.string().trim().min(1).max(80),
  auto_resume: AutoResume.default("interrupted"),
});
/** Without the default: what isn't sent stays as it is; null takes it away. */
export const UpdateProfile = CreateProfile.extend({
  auto_resume: AutoResume,
  mode: LaunchSpec.shape.mode.nullable(),
  model: LaunchSpec.shape.model.nullable(),
  turn_limit_s: LaunchSpec.shape.turn_limit_s.nullable(),
}).partial();

const OF_TERMINALS = {
  resume_args: "An agent over ACP says itself how it resumes; only a terminal agent has resume args.",
  prompt_args: "An agent over ACP is sent its prompts; only a terminal agent has prompt args.",
  prompt_transport: "An agent over ACP is sent its prompts; only a terminal agent is given them another way.",
} as const;

/** What a profile says that its driver has no use for: the first such field, and why; null: none. */
export function misfit(
  profile: Pick<LaunchSpec, "driver" | keyof typeof OF_TERMINALS>,
): { field: keyof typeof OF_TERMINALS; message: string } | null {
  if (profile.driver === "terminal") return null;
  const fields = ["resume_args", "prompt_args", "prompt_transport"] as const;
  const field = fields.find((name) => profile[name] != null && profile[name].length > 0);
  return field === undefined ? null : { field, message: OF_TERMINALS[field] };
}
