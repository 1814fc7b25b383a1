import { isAbsolute } from "node:path";
import { Runtime } from "@reprise/protocol";
import { z } from "zod";

const path = z.string().refine(isAbsolute, "must be an absolute path");

const UNITS = { b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 } as const;

/** Bytes, or a number with one of the engine's own units: "512m", "2g". */
const Memory = z.union([
  z.number().int().positive(),
  z
    .string()
    .regex(/^\d+[bkmg]$/i, 'a number with b, k, m or g, such as "2g"')
    .transform((text) => {
      const unit = z.enum(["b", "k", "m", "g"]).parse(text.slice(-1).toLowerCase());
      return Number(text.slice(0, -1)) * UNITS[unit];
    }),
]);

/** `docker` in config.json: what the containers of this machine's sessions are. */
export const DockerConfig = z.object({
  /** Made from `agentctl-remote/Dockerfile`. It is never pulled. */
  image: z.string().min(1),
  /** The engine's socket. */
  socket: path.default("/var/run/docker.sock"),
  /** Folders of the machine beside the session's own workspace. */
  mounts: z
    .array(z.object({ source: path, target: path.optional(), read_only: z.boolean().default(false) }))
    .default([]),
  /** A network of the engine, or `host`, `bridge`, `none`. */
  network: z.string().default("bridge"),
  memory: Memory.optional(),
  cpus: z.number().positive().optional(),
  /** `UID:GID` in the container; the daemon's own by default, so that files in the workspace stay this user's. */
  user: z.string().optional(),
  env: z.record(z.string(), z.string()).default({}),
});
export type DockerConfig = z.infer<typeof DockerConfig>;

/** Which runtimes the owner of the machine allows (S4). */
export const Runtimes = z.array(Runtime).min(1).default(["standalone"]);
