import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { SessionId, type WorkspaceSpec } from "@reprise/protocol";
import type Docker from "dockerode";
import { z } from "zod";
import { readHostFile, readJson } from "../../daemon/known.ts";
import { writeOwn } from "../../daemon/own.ts";
import { insideSocket, type SessionPaths } from "../../host/paths.ts";
import type { SessionFile } from "../../host/spawn.ts";
import { CONTAINER_LOG_SIZE, CONTAINER_STOP_S } from "../../limits.ts";
import type { DockerConfig } from "./config.ts";

/** Where the session's folder lies in its container: short, so that its socket's path is, too (X7). */
export const INSIDE = "/reprise/session";

/** By these a container is found again, whatever else of it was lost (X2). */
export const LABELS = {
  session: "reprise.session_id",
  node: "reprise.node_id",
  state: "reprise.state_id",
} as const;

/** Whose containers these are. */
export interface Owner {
  node_id: string;
  state_id: string;
}

const ContainerFile = z.object({
  container_id: z.string().min(1),
  session_id: SessionId,
  /** Which engine has it; not noted by earlier versions. */
  engine_id: z.string().nullish(),
});

/** @returns null when none was ever noted */
export function readContainer(paths: SessionPaths): { id: string; engine_id: string | null } | null {
  const parsed = ContainerFile.safeParse(readJson(paths.containerFile));
  return parsed.success ? { id: parsed.data.container_id, engine_id: parsed.data.engine_id ?? null } : null;
}

export function writeContainer(
  paths: SessionPaths,
  session_id: string,
  container_id: string,
  engine_id: string | null,
): void {
  writeOwn(paths, paths.containerFile, { container_id, session_id, engine_id } satisfies z.input<typeof ContainerFile>);
}

/** What a worktree needs of its repository: git's own folder, where the repository has a plain one. */
function gitFolder(repo: string): string {
  const own = join(repo, ".git");
  const plain = statSync(own, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return plain ? own : repo;
}

function mounts(paths: SessionPaths, session: SessionFile, spec: WorkspaceSpec | null, config: DockerConfig) {
  const bind = (Source: string, Target: string, ReadOnly: boolean): Docker.MountSettings => ({
    Type: "bind",
    Source,
    Target,
    ReadOnly,
  });
  const worktree = spec?.worktree ?? null;
  // The same paths as outside: an agent's words about files, and its conversation's folder, mean the same to both.
  const workspace = worktree?.path ?? session.workspace;
  const own = [
    bind(paths.dir, INSIDE, false),
    // What the daemon goes by when it removes things must not be the agent's to write (S4).
    bind(paths.own, join(INSIDE, basename(paths.own)), true),
    bind(workspace, workspace, false),
  ];
  const repo = worktree ? [gitFolder(worktree.repo)].map((path) => bind(path, path, false)) : [];
  const more = config.mounts.map(({ source, target, read_only }) => bind(source, target ?? source, read_only));
  return [...own, ...repo, ...more];
}

/** What the engine is asked for: the session's host as the main process, under an init (X2). */
export function containerOptions(
  { paths, session, spec }: { paths: SessionPaths; session: SessionFile; spec: WorkspaceSpec | null },
  config: DockerConfig,
  owner: Owner,
  more: { user: string; env: Readonly<Record<string, string>> },
): Docker.ContainerCreateOptions {
  const env = { ...config.env, ...more.env };
  return {
    name: `reprise-${session.session_id}`,
    Image: config.image,
    Cmd: [INSIDE],
    User: config.user ?? more.user,
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    Labels: {
      [LABELS.session]: session.session_id,
      [LABELS.node]: owner.node_id,
      [LABELS.state]: owner.state_id,
    },
    StopTimeout: CONTAINER_STOP_S,
    HostConfig: {
      Init: true,
      Mounts: mounts(paths, session, spec, config),
      NetworkMode: config.network,
      // The daemon decides when it runs: what an engine restarts by itself would be nobody's recovery (X1).
      RestartPolicy: { Name: "no" },
      LogConfig: { Type: "json-file", Config: { "max-size": CONTAINER_LOG_SIZE, "max-file": "1" } },
      ...(config.memory === undefined ? {} : { Memory: config.memory }),
      ...(config.cpus === undefined ? {} : { NanoCpus: Math.round(config.cpus * 1e9) }),
    },
  };
}

/** A host that says no path of a container's own is one of the machine itself, which closes what a lost container left. */
export function isInside(file: { socket: string }): boolean {
  return file.socket.startsWith(`${INSIDE}/`);
}

/** Where the machine finds the socket of a session's host: in the container its path is another. */
export function socketOf(paths: SessionPaths): string {
  const file = readHostFile(paths);
  return file === null || isInside(file) ? insideSocket(paths.dir) : file.socket;
}
