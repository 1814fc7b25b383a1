import { MAX_FRAME_BYTES, type NodeAnswer, type NodeRequest, type NodeUp } from "@reprise/protocol";
import type { Agents } from "../agents/agents.ts";
import { listConversations } from "../agents/conversations/list.ts";
import { MAX_OPEN_REQUESTS, REQUEST_LIMIT_MS } from "../limits.ts";
import type { Log } from "../log.ts";
import { gitDiff, gitStatus } from "../workspace/changes.ts";
import { completePath } from "../workspace/complete.ts";
import { readWorkspaceFiles } from "../workspace/files.ts";
import { inspectPath } from "../workspace/inspect.ts";
import { WorkspaceProblem } from "../workspace/problem.ts";
import type { Roots } from "../workspace/roots.ts";
import { Gate } from "./gate.ts";

type Answer = Extract<NodeUp, { type: "answer" }>;

export interface RequestPorts {
  agents: Pick<Agents, "probe" | "rescan">;
  roots: Roots;
  log: Log;
  /** A session's folder on this machine; null when it has none here. */
  workspace(sessionId: string): string | null;
  /** Into a session's live terminal, whoever has attached it. @throws WorkspaceProblem */
  write(sessionId: string, terminalId: string, data: string): Promise<void>;
  send(frame: Answer): void;
}

/** Answers the control plane's questions, each within its time. */
export class Requests {
  private readonly ports: RequestPorts;
  private readonly gate = new Gate(MAX_OPEN_REQUESTS);

  constructor(ports: RequestPorts) {
    this.ports = ports;
  }

  async answer(requestId: string, request: NodeRequest): Promise<void> {
    const result = fitting(await this.gate.run(() => this.bounded(request)));
    this.ports.send({ type: "answer", request_id: requestId, result });
  }

  private async bounded(request: NodeRequest): Promise<Answer["result"]> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Answer["result"]>((resolve) => {
      const message = "The machine took too long to answer.";
      timer = setTimeout(() => resolve({ ok: false, code: "node_timeout", message }), REQUEST_LIMIT_MS);
    });
    try {
      return await Promise.race([late, this.ask(request).then((answer) => ({ ok: true as const, answer }))]);
    } catch (error) {
      if (error instanceof WorkspaceProblem) return { ok: false, code: error.code, message: error.message };
      this.ports.log.error({ err: error, op: request.op }, "a question could not be answered");
      return { ok: false, code: "internal", message: error instanceof Error ? error.message : String(error) };
    } finally {
      clearTimeout(timer);
    }
  }

  private async ask(request: NodeRequest): Promise<NodeAnswer> {
    const { roots, agents } = this.ports;
    switch (request.op) {
      case "complete_path":
        return { op: "complete_path", folders: await completePath(request.prefix, roots) };
      case "inspect_path":
        return await inspectPath(request.path, roots);
      case "probe_agent":
        return { op: "probe_agent", agent: await agents.probe(request.spec) };
      case "rescan_agents":
        // What probing finds out follows as `agents.changed`: a slow agent must not look like a silent machine.
        return { op: "rescan_agents", agents: agents.rescan() };
      case "files":
        return {
          op: "files",
          files: await readWorkspaceFiles(this.workspaceOf(request.session_id), request.path, roots),
        };
      case "git": {
        const workspace = this.workspaceOf(request.session_id);
        const { path } = request;
        return {
          op: "git",
          git: path === null ? await gitStatus(workspace, roots) : await gitDiff(workspace, path, roots),
        };
      }
      case "terminal_input":
        await this.ports.write(request.session_id, request.terminal_id, request.data);
        return { op: "terminal_input" };
      case "list_conversations":
        return { op: "list_conversations", conversations: await listConversations(request, roots) };
      default:
        return request satisfies never;
    }
  }

  private workspaceOf(sessionId: string): string {
    const path = this.ports.workspace(sessionId);
    if (path === null) throw new WorkspaceProblem("workspace_missing", "This session has no folder on this machine.");
    return path;
  }
}

/** A frame that is too large would cost the whole link: names and diffs full of control characters outgrow their limits in JSON. */
function fitting(result: Answer["result"]): Answer["result"] {
  // The rest of the frame is a few names.
  if (Buffer.byteLength(JSON.stringify(result)) < MAX_FRAME_BYTES - 1_000) return result;
  return { ok: false, code: "too_large", message: "There is too much of it to be shown here." };
}
