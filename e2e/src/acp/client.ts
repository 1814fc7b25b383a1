import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";
import { type Group, spawnGroup } from "../processes.ts";

/** An agent process with an ACP client on its stdio. */
export type AcpAgent = {
  readonly group: Group;
  readonly agent: acp.ClientContext;
  /** Every `session/update`, in order. */
  readonly updates: acp.SessionNotification[];
  /** Every `session/request_permission`, in order. */
  readonly permissions: acp.RequestPermissionRequest[];
  readonly closed: Promise<void>;
  /** The text of all agent message chunks since an index in `updates`. */
  textSince(index: number): string;
};

export type PermissionPolicy = (request: acp.RequestPermissionRequest) => Promise<acp.RequestPermissionResponse>;

/** Chooses the first option of the given kind; the usual answer of tests. */
export function choose(kind: acp.PermissionOptionKind): PermissionPolicy {
  return async ({ options }) => {
    const option = options.find((one) => one.kind === kind);
    if (!option) throw new Error(`no option of kind ${kind} among ${JSON.stringify(options)}`);
    return { outcome: { outcome: "selected", optionId: option.optionId } };
  };
}

/** Starts an agent in its own process group and speaks ACP to it; `initialize` is left to the caller. */
export async function startAcpAgent(
  start: { command: string; args: readonly string[]; cwd: string; env: Readonly<Record<string, string>> },
  onPermission: PermissionPolicy = choose("allow_once"),
): Promise<AcpAgent> {
  const group = await spawnGroup(start.command, start.args, {
    cwd: start.cwd,
    env: { ...start.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const { stdin, stdout } = group.child;
  if (!stdin || !stdout) throw new Error("the agent has no stdio");
  // A write to an agent that was killed is what these tests are about; the connection reports it as closed.
  stdin.on("error", () => undefined);
  const updates: acp.SessionNotification[] = [];
  const permissions: acp.RequestPermissionRequest[] = [];
  const connection = acp
    .client({ name: "reprise-e2e" })
    .onNotification(acp.methods.client.session.update, ({ params }) => {
      updates.push(params);
    })
    .onRequest(acp.methods.client.session.requestPermission, ({ params }) => {
      permissions.push(params);
      return onPermission(params);
    })
    .connect(acp.ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout) as ReadableStream<Uint8Array>));
  return {
    group,
    agent: connection.agent,
    updates,
    permissions,
    closed: connection.closed,
    textSince: (index) =>
      updates
        .slice(index)
        .map(({ update }) => messageText(update))
        .join(""),
  };
}

function messageText(update: acp.SessionUpdate): string {
  return update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? update.content.text : "";
}

/** The `initialize` that tests send: no file system, no terminal, as Reprise's own driver does. */
export function initialize(agent: acp.ClientContext): Promise<acp.InitializeResponse> {
  return agent.request(acp.methods.agent.initialize, {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: "reprise-e2e", version: "0.1.0" },
  });
}
