import type { Failure } from "@reprise/protocol";
import type Docker from "dockerode";
import { z } from "zod";
import type { SessionPaths } from "../../host/paths.ts";
import { OTHER_ENGINE_MS } from "../../limits.ts";
import type { Log } from "../../log.ts";
import { LABELS, type Owner, readContainer, writeContainer } from "./container.ts";
import type { Answer, Engine } from "./engine.ts";

/** A container as the engine knows it. */
export interface Found {
  id: string;
  status: string;
  started_at: string;
}

const NOT_THERE = 404;
const EngineInfo = z.object({ ID: z.string() });
const OTHER_ENGINE =
  "This session's container is in another Docker engine than the one that this machine's config.json names now. Point it back there, or delete the session.";

/** The containers of this machine's sessions, found by id or by label (X2). */
export class Containers {
  private readonly engine: Engine;
  private readonly owner: Owner;
  private readonly log: Log;

  constructor(engine: Engine, owner: Owner, log: Log) {
    this.engine = engine;
    this.owner = owner;
    this.log = log;
  }

  /** The session's container: by the id that was noted, else by its label. `null`: the engine has none. */
  async find(paths: SessionPaths, sessionId: string, urgent: boolean): Promise<Answer<Found | null>> {
    const noted = readContainer(paths);
    if (noted !== null) {
      const found = await this.inspect(noted.id, urgent, sessionId);
      if (found.ok && found.value !== null && noted.engine_id === null) await this.note(paths, sessionId, noted.id);
      if (!found.ok || found.value !== null) return found;
    }
    const listed = await this.engine.ask(urgent, (docker) =>
      docker.listContainers({ all: true, filters: this.labels(sessionId) }),
    );
    if (!listed.ok) return listed;
    const id = listed.value[0]?.Id;
    if (id === undefined) return await this.goneFrom(noted?.engine_id ?? null, urgent);
    this.log.info({ session_id: sessionId, container_id: id }, "container found by its label");
    await this.note(paths, sessionId, id);
    return await this.inspect(id, urgent);
  }

  /** Which container the session has, and in which engine. */
  async note(paths: SessionPaths, sessionId: string, containerId: string): Promise<void> {
    const engine = await this.engineId(true);
    writeContainer(paths, sessionId, containerId, engine.ok ? engine.value : null);
  }

  /** That another engine doesn't have it proves nothing (T3): the machine's config may point elsewhere for a while. */
  private async goneFrom(engineId: string | null, urgent: boolean): Promise<Answer<null>> {
    if (engineId === null) return { ok: true, value: null };
    const asked = await this.engineId(urgent);
    if (!asked.ok) return asked;
    if (asked.value === engineId) return { ok: true, value: null };
    const failure: Failure = { code: "runtime_unavailable", message: OTHER_ENGINE };
    return { ok: false, why: "away", failure, retry_at: Date.now() + OTHER_ENGINE_MS };
  }

  private async engineId(urgent: boolean): Promise<Answer<string>> {
    return await this.engine.ask(urgent, async (docker) => EngineInfo.parse(await docker.info()).ID);
  }

  /** @param sessionId where the id was read from a note: an agent in a container can write it, but no labels */
  async inspect(id: string, urgent: boolean, sessionId?: string): Promise<Answer<Found | null>> {
    const answer = await this.engine.ask(urgent, (docker) => docker.getContainer(id).inspect());
    if (answer.ok) {
      const { Id, State, Config } = answer.value;
      const isOurs = Config.Labels[LABELS.session] === sessionId && Config.Labels[LABELS.node] === this.owner.node_id;
      if (sessionId !== undefined && !isOurs) {
        this.log.error({ session_id: sessionId, container_id: id }, "the noted container is another one's: left alone");
        return { ok: true, value: null };
      }
      return { ok: true, value: { id: Id, status: State.Status, started_at: State.StartedAt } };
    }
    return answer.why === "refused" && answer.status === NOT_THERE ? { ok: true, value: null } : answer;
  }

  /** Its main process ended, and nobody told the engine to end it. */
  async diedAlone({ id, started_at }: Found): Promise<boolean> {
    const seconds = (ms: number) => Number((ms / 1_000).toFixed(3));
    const answer = await this.engine.ask(false, async (docker) => {
      const filters = { container: [id], event: ["kill"] };
      const span = { since: seconds(Date.parse(started_at)), until: seconds(Date.now()) };
      const events: NodeJS.ReadableStream = await docker.getEvents({ ...span, filters });
      let text = "";
      for await (const chunk of events) text += String(chunk);
      return text.trim();
    });
    return answer.ok && answer.value === "";
  }

  /** @returns the last that it printed, for a message */
  async words(id: string): Promise<string> {
    const answer = await this.engine.ask(false, (docker) =>
      docker.getContainer(id).logs({ stdout: true, stderr: true, tail: 10 }),
    );
    return answer.ok ? printable(answer.value) : "";
  }

  /**
   * The session's container of before the machine's state folder was lost, which holds its conversation: taken over, and
   * stopped first, for whoever runs in it serves a folder that is gone. `null`: there is none.
   */
  async takeOver(paths: SessionPaths, sessionId: string): Promise<Answer<Found | null>> {
    const filters = this.ofAnyFolder(sessionId);
    const listed = await this.engine.ask(true, (docker) => docker.listContainers({ all: true, filters }));
    if (!listed.ok) return listed;
    const left = listed.value[0];
    if (!left) return { ok: true, value: null };
    this.log.warn({ session_id: sessionId, container_id: left.Id }, "container of a lost state folder taken over");
    if (left.State === "running") {
      const killed = await this.engine.ask(true, (docker) => docker.getContainer(left.Id).kill());
      if (!killed.ok) return killed;
    }
    await this.note(paths, sessionId, left.Id);
    return await this.inspect(left.Id, true);
  }

  /** Every container of the session is gone afterwards. */
  async remove(sessionId: string): Promise<Answer<unknown>> {
    return await this.engine.ask(true, async (docker) => {
      const listed = await docker.listContainers({ all: true, filters: this.ofAnyFolder(sessionId) });
      await Promise.all(listed.map(({ Id }) => removed(docker, Id)));
    });
  }

  private labels(sessionId: string) {
    return { label: [...this.ofAnyFolder(sessionId).label, `${LABELS.state}=${this.owner.state_id}`] };
  }

  /** Also of the state folders that this machine had before. */
  private ofAnyFolder(sessionId: string) {
    return { label: [`${LABELS.session}=${sessionId}`, `${LABELS.node}=${this.owner.node_id}`] };
  }
}

async function removed(docker: Docker, id: string): Promise<void> {
  try {
    await docker.getContainer(id).remove({ force: true, v: true });
  } catch (error) {
    // Gone already is what was wanted.
    if (!(error instanceof Error && "statusCode" in error && error.statusCode === NOT_THERE)) throw error;
  }
}

/** Without the engine's frame headers (eight bytes a piece, beginning with the stream's number). */
function printable(logs: Buffer): string {
  const parts: string[] = [];
  for (let at = 0; at + 8 <= logs.length; ) {
    const length = logs.readUInt32BE(at + 4);
    parts.push(logs.subarray(at + 8, at + 8 + length).toString("utf8"));
    at += 8 + length;
  }
  return parts.join("").trim().slice(-800);
}
