import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import type Docker from "dockerode";
import { z } from "zod";
import { ROOT } from "../lib/paths.ts";
import { run } from "../lib/run.ts";
import { ensureBuilt } from "../run/built.ts";
import { makeRootFs } from "./root-fs.ts";

/** The image that stands in for `node:24` where nothing can be pulled. */
export const BASE_IMAGE = "reprise-test-base:latest";
/** What `agentctl-remote/Dockerfile` makes of it. */
export const AGENTCTL_IMAGE = "reprise-test-agentctl:latest";

/** The base's root file system as an archive, made once for each Node. */
async function baseArchive(): Promise<string> {
  const { size, mtimeMs } = statSync(process.execPath);
  const name = createHash("sha256").update(`${process.execPath} ${size} ${mtimeMs} 2`).digest("hex").slice(0, 16);
  const archive = join(ROOT, ".reprise", "docker", `base-${name}.tar`);
  if (existsSync(archive)) return archive;
  mkdirSync(dirname(archive), { recursive: true });
  const dir = mkdtempSync(join(tmpdir(), "rdk-root-"));
  try {
    makeRootFs(dir);
    const fresh = `${archive}.${process.pid}`;
    const made = await run("tar", ["-C", dir, "--numeric-owner", "--owner=0", "--group=0", "-cf", fresh, "."], {
      output: { kind: "capture" },
    });
    if (made.code !== 0) throw new Error(`The base image could not be made: ${made.output}`);
    renameSync(fresh, archive);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  return archive;
}

const Progress = z.object({ error: z.string() });

/** Waits for the end of what the engine does. @throws with its own words when it fails */
async function followed(docker: Docker, stream: NodeJS.ReadableStream): Promise<void> {
  const lines = await new Promise<unknown[]>((resolve, reject) => {
    docker.modem.followProgress(stream, (error, output) => (error ? reject(error) : resolve(output)));
  });
  for (const line of lines) {
    const failed = Progress.safeParse(line);
    if (failed.success) throw new Error(failed.data.error);
  }
}

/** Imports the base image: Node, a shell, git and the usual tools. */
export async function importBase(docker: Docker): Promise<void> {
  const [repo, tag] = BASE_IMAGE.split(":");
  await followed(docker, await docker.importImage(await baseArchive(), { repo, tag }));
}

/** Builds `agentctl-remote/Dockerfile` on the base, by the engine's own builder and without a network. */
export async function buildAgentctlImage(docker: Docker): Promise<void> {
  await ensureBuilt(["agentctl-remote"], () => undefined);
  const tar = spawn("tar", ["-C", join(ROOT, "agentctl-remote"), "-cf", "-", "Dockerfile", "dist"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const context = tar.stdout.pipe(new PassThrough());
  const building = await docker.buildImage(context, {
    t: AGENTCTL_IMAGE,
    buildargs: { BASE: BASE_IMAGE },
    networkmode: "none",
  });
  await followed(docker, building);
}
