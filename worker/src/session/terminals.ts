import { type PaneUp, TERMINAL_REFUSALS, type TerminalUp, type ViewerDown } from "@reprise/protocol";
import type { SessionCore } from "./core/state.ts";
import type { NodeLink } from "./node-link.ts";
import { about } from "./viewer-frames.ts";
import type { Viewers } from "./viewers.ts";

export interface RelayPorts {
  viewers: Viewers;
  link: NodeLink;
  /** Ask the node for the session's socket, and for a host if there is none (K1). */
  want(core: SessionCore): void;
  now(): number;
}

/** A node that speaks by POSTs does so far more often than this. */
const POSTS_LATELY_MS = 2 * 60_000;

/**
 * Passes terminals between a session's viewers and its host (B1 to B3), and keeps nothing: who has panes is noted with
 * their socket, what a pane has seen its viewer knows, and where it goes on the host decides.
 */
export class TerminalRelay {
  readonly #ports: RelayPorts;
  /** When the node was last heard over plain HTTP (N3). Memory: its next POST says it again. */
  #postedAt = 0;

  constructor(ports: RelayPorts) {
    this.#ports = ports;
  }

  fromViewer(core: SessionCore, ws: WebSocket, frame: PaneUp): void {
    const { viewers, link } = this.#ports;
    const viewer_id = viewers.idOf(ws);
    if (viewer_id === null) return;
    const { terminal_id, pane_id } = frame;
    const opens = frame.type === "terminal.attach";
    if (opens || frame.type === "terminal.detach") {
      if (!viewers.holdsPane(ws, `${terminal_id} ${pane_id}`, opens)) {
        this.#refuse(core, viewer_id, frame, "too_many", TERMINAL_REFUSALS.too_many);
        return;
      }
    }
    const support = link.terminals;
    if (support === "away") {
      // It attaches again, with what it has, when the way is there: so it may be forgotten here.
      if (!opens) return;
      if (this.#ports.now() - this.#postedAt < POSTS_LATELY_MS)
        this.#refuse(core, viewer_id, frame, "needs_websocket", TERMINAL_REFUSALS.needs_websocket);
      viewers.sendPane(viewer_id, this.#link(core, false));
      this.#ports.want(core);
    } else if (support === "unknown")
      this.#refuse(core, viewer_id, frame, "agentctl_too_old", TERMINAL_REFUSALS.agentctl_too_old);
    else if (!support.ok) this.#refuse(core, viewer_id, frame, support.code, support.message);
    else link.send({ ...frame, viewer_id });
  }

  fromNode(core: SessionCore, frame: TerminalUp): void {
    const { viewer_id, ...told } = frame;
    if (!this.#ports.viewers.sendPane(viewer_id, { ...told, ...about(core) }))
      this.#ports.link.send({ type: "terminal.viewer_gone", viewer_id });
  }

  /** The node's network breaks WebSockets: it gets no terminals until one holds. */
  posted(): void {
    this.#postedAt = this.#ports.now();
  }

  /** The node's socket is there (again), or is gone. */
  linkChanged(core: SessionCore): void {
    const { viewers, link } = this.#ports;
    for (const viewer_id of viewers.withPanes()) viewers.sendPane(viewer_id, this.#link(core, link.greeted));
    // Somebody still looks: a socket that was lost is wished for again.
    if (!link.greeted && viewers.withPanes().length > 0) this.#ports.want(core);
  }

  viewerGone(ws: WebSocket): void {
    const { viewers, link } = this.#ports;
    const viewer_id = viewers.idOf(ws);
    if (viewer_id === null || !viewers.hasPanes(ws)) return;
    if (link.terminals !== "away" && link.terminals !== "unknown")
      link.send({ type: "terminal.viewer_gone", viewer_id });
  }

  #refuse(core: SessionCore, viewer_id: string, pane: PaneUp, code: string, message: string): void {
    const { terminal_id, pane_id } = pane;
    const refused = { type: "terminal.refused", ...about(core), terminal_id, pane_id, code, message } as const;
    this.#ports.viewers.sendPane(viewer_id, refused);
  }

  #link(core: SessionCore, up: boolean): ViewerDown {
    return { type: "terminal.link", ...about(core), up };
  }
}
