import { z } from "zod";
import { AgentProfile, LaunchSpec } from "../agents/profile.ts";
import { AutoResume } from "../states.ts";

export const ProfileList = z.object({ profiles: z.array(AgentProfile) });
export const CreateProfile = LaunchSpec.extend({
  name: z.string().trim().min(1).max(80),
  auto_resume: AutoResume.default("interrupted"),
});
export const UpdateProfile = CreateProfile.partial();
