import { z } from "zod";

/** What the process that runs workerd is told. */
export const ControlPlaneOrder = z.object({
  /** workerd's databases. */
  state: z.string(),
  port: z.number().int(),
  /** Over wrangler.toml's; SETUP_SECRET among them. */
  vars: z.record(z.string(), z.string()),
});
export type ControlPlaneOrder = z.infer<typeof ControlPlaneOrder>;

/** And what it tells. */
export const ControlPlaneNews = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready"), migrated: z.array(z.string()) }),
  z.object({ type: z.literal("failed"), message: z.string() }),
]);
export type ControlPlaneNews = z.infer<typeof ControlPlaneNews>;
