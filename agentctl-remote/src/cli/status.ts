import type { InventoryEntry } from "@reprise/protocol";
import { askDoor, type DaemonStatus } from "../daemon/door.ts";
import { loadIdentity } from "../daemon/identity.ts";
import { statePaths } from "../daemon/paths.ts";
import { agentLines, missingLine } from "./agent-lines.ts";
import { CliError, EXIT } from "./exit.ts";

/** Ask the running daemon how things stand. */
export async function status(options: { state?: string; json?: boolean }): Promise<string> {
  const paths = statePaths(options.state);
  const answer = await askDoor(paths.door, "status");
  if (!answer) throw noDaemon(options.state);
  return options.json ? JSON.stringify(answer, null, 2) : describe(answer);
}

function noDaemon(state: string | undefined): CliError {
  const joined = loadIdentity(statePaths(state)).joined;
  return joined
    ? new CliError(EXIT.daemon_state, `No daemon runs for "${joined.name}". Start it with: agentctl up`)
    : new CliError(EXIT.not_joined, "This machine hasn't joined a control plane. Run: agentctl join URL TOKEN");
}

function describe(status: DaemonStatus): string {
  const { node, link, sessions, agents } = status;
  const lines = [
    `${node.name} (${node.node_id}) at ${node.url}`,
    `${standing(link)} since ${new Date(link.since).toLocaleString()}: ${link.message}`,
    `daemon ${status.version}, pid ${status.pid}, state in ${status.state}`,
    "",
    "Agents",
    ...[...agentLines(agents), ...missingLine(agents)].map((line) => `  ${line}`),
    "",
    sessions.length === 0 ? "No sessions here." : "Sessions",
    ...sessions.map(sessionLine),
  ];
  if (status.waiting_starts > 0) lines.push("", `${status.waiting_starts} agent start(s) wait for a slot.`);
  return lines.join("\n");
}

function standing({ connected, transport }: DaemonStatus["link"]): string {
  if (!connected) return "not connected";
  return transport === "http" ? "connected over HTTP" : "connected";
}

function sessionLine(session: InventoryEntry): string {
  const { execution, executor, host } = session;
  const agent =
    execution?.state === "alive" ? (execution.open_turn ? "working" : "waiting") : (execution?.state ?? "none");
  const failure = executor.failure ? `: ${executor.failure.message}` : "";
  return `  ${session.session_id}  host ${host.state}, agent ${agent}, executor ${executor.status}${failure}  ${session.workspace.path}`;
}
