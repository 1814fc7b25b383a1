import { z } from "zod";
import { AgentProfile, LaunchSpec } from "../agents/profile.ts";
import { AutoResume } from "../states.ts";

export const ProfileList = z.object({ profiles: z.array(AgentProfile) });
export const CreateProfile = LaunchSpec.extend({
  name: z.string().trim().min(1).max(80),
  auto_resume: AutoResume.default("interrupted"),
});
/** Without the default: what isn't sent stays as it is. */
export const UpdateProfile = CreateProfile.extend({ auto_resume: AutoResume }).partial();
