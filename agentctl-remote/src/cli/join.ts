import { hostname, platform } from "node:os";
import { ErrorBody, JoinAnswer, type JoinRequest, NodeId } from "@reprise/protocol";
import { z } from "zod";
import { NodeConfig } from "../agents/config.ts";
import { loadIdentity, saveIdentity } from "../daemon/identity.ts";
import { readJson } from "../daemon/known.ts";
import { lockHolder } from "../daemon/lock.ts";
import { makeStateFolder, statePaths } from "../daemon/paths.ts";
import { joinUrl } from "../daemon/urls.ts";
import { writeWhole } from "../host/spawn.ts";
import { JOIN_LIMIT_MS } from "../limits.ts";
import { CliError, EXIT } from "./exit.ts";

export interface JoinOptions {
  name?: string;
  state?: string;
  replace?: string;
  /** Where the control plane may call this machine (N7). */
  url?: string;
  listen?: string;
}

/** Join a control plane with a single-use token, and keep the credential that it gives. @returns what to tell the person */
export async function join(url: string, token: string, options: JoinOptions): Promise<string> {
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new CliError(EXIT.usage, `"${url}" isn't an address. It looks like https://reprise.example.com.`);
  const replace = options.replace === undefined ? undefined : NodeId.safeParse(options.replace);
  if (replace && !replace.success)
    throw new CliError(EXIT.usage, `"${options.replace}" isn't a machine's id. It looks like nod_..., see Machines.`);
  const paths = statePaths(options.state);
  makeStateFolder(paths);
  const running = lockHolder(paths);
  if (running)
    throw new CliError(
      EXIT.daemon_state,
      `A daemon runs here (pid ${running.pid}). Stop it with \`agentctl down\` first.`,
    );
  const identity = loadIdentity(paths);
  const body: z.infer<typeof JoinRequest> = {
    token,
    machine_id: identity.machine_id,
    state_id: identity.state_id,
    hostname: hostname(),
    platform: platform(),
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(replace ? { replace: replace.data } : {}),
  };
  const callable = callableOf(paths.config, options);
  const answer = await ask(joinUrl(url), body);
  saveIdentity(paths, {
    ...identity,
    joined: { url: new URL(url).origin, ...answer },
    nonce: null,
    nonce_before: null,
  });
  if (callable) writeWhole(paths.config, callable);
  const approve = callable ? " Approve its address under Machines, once it has called." : "";
  return `Joined ${new URL(url).origin} as "${answer.name}" (${answer.node_id}). Now run: agentctl up.${approve}`;
}

/** @returns config.json with the address in it; null where none was given @throws with words, before anything is joined */
function callableOf(path: string, { url, listen }: JoinOptions): string | null {
  if (url === undefined && listen === undefined) return null;
  const raw = z.record(z.string(), z.unknown()).safeParse(readJson(path));
  const config = {
    ...(raw.success ? raw.data : {}),
    ...(url === undefined ? {} : { agentctl_url: url }),
    ...(listen === undefined ? {} : { listen }),
  };
  const checked = NodeConfig.safeParse(config);
  if (!checked.success)
    throw new CliError(EXIT.usage, `${checked.error.issues[0]?.path.join(".")}: ${checked.error.issues[0]?.message}`);
  if (checked.data.agentctl_url === undefined || checked.data.listen === undefined)
    throw new CliError(EXIT.usage, "--url says where this machine is called, --listen where it answers: give both.");
  return `${JSON.stringify(config, null, 2)}\n`;
}

async function ask(url: string, body: z.infer<typeof JoinRequest>) {
  let response: Response;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      redirect: "error",
      signal: AbortSignal.timeout(JOIN_LIMIT_MS),
    });
  } catch (cause) {
    throw new CliError(EXIT.failed, `${url} can't be reached: ${reasonOf(cause)}`, { cause });
  }
  const text = await response.text();
  const parsed = JoinAnswer.safeParse(parse(text));
  if (response.ok && parsed.success) return parsed.data;
  const refusal = ErrorBody.safeParse(parse(text));
  if (refusal.success) throw new CliError(EXIT.join_refused, refusal.data.error.message);
  throw new CliError(
    EXIT.failed,
    `${url} answered ${response.status} with something else. Is it a Reprise control plane?`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Told as "answered with something else".
    return null;
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
