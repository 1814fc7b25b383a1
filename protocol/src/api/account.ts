import { z } from "zod";

/** Who asks, as the page shows it. */
export const Me = z.object({ person: z.object({ id: z.string(), name: z.string() }), version: z.string() });
export const SignIn = z.object({ token: z.string().min(1).max(200) });
export const ApiToken = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.number(),
  last_used_at: z.number().nullable(),
});
export const ApiTokenList = z.object({ tokens: z.array(ApiToken) });
export const CreateApiToken = z.object({ name: z.string().trim().min(1).max(80) });
/** The secret is in this answer and nowhere else (S2). */
export const CreatedApiToken = ApiToken.extend({ secret: z.string() });
export const BrowserSession = z.object({
  id: z.string(),
  created_at: z.number(),
  last_used_at: z.number(),
  agent: z.string(),
  current: z.boolean(),
});
export const BrowserSessionList = z.object({ sessions: z.array(BrowserSession) });
export const Health = z.object({ ok: z.literal(true), version: z.string(), protocol_version: z.number().int() });
