import type { AgentInfo, LaunchSpec } from "@reprise/protocol";
import { Gate } from "../daemon/gate.ts";
import { readJson } from "../daemon/known.ts";
import { writeWhole } from "../host/spawn.ts";
import { PROBES } from "../limits.ts";
import type { Log } from "../log.ts";
import { type NodeConfig, ProbeCache } from "./config.ts";
import { type Candidate, candidates, programStamp, unprobed } from "./find.ts";
import { askVersion, probeAgent } from "./probe.ts";
import { Versions } from "./versions.ts";

export interface AgentsPorts {
  cachePath: string;
  config: NodeConfig;
  log: Log;
  /** Something new is known of an agent. */
  changed(agents: AgentInfo[]): void;
}

/** The agents of this machine: found at once, asked one after the other in the background, remembered. */
export class Agents {
  private readonly ports: AgentsPorts;
  private readonly gate = new Gate(PROBES);
  private readonly cache: ProbeCache;
  private readonly versions: Versions;
  private infos: AgentInfo[] = [];

  constructor(ports: AgentsPorts) {
    this.ports = ports;
    const cached = ProbeCache.safeParse(readJson(ports.cachePath));
    this.cache = cached.success ? cached.data : ProbeCache.parse({});
    this.versions = new Versions(this.cache.versions, () => this.save());
    this.infos = this.find();
  }

  list(): AgentInfo[] {
    return this.infos;
  }

  /** Look again; those that are new or changed are asked in the background. @returns what is known now */
  rescan(): AgentInfo[] {
    this.infos = this.find();
    this.ports.changed(this.infos);
    for (const candidate of candidates(this.ports.config)) {
      if (candidate.command !== null && !this.known(candidate)) {
        void this.ask(candidate).then((info) => this.learned(info.agent_kind, info));
      }
      const { terminal } = candidate;
      if (terminal === null || terminal.command === null || this.versions.of(terminal) !== null) continue;
      void this.gate
        .run(() => this.versions.ask(terminal))
        .then(() => this.learned(candidate.agent_kind, { terminal: this.terminalOf(candidate) }));
    }
    return this.infos;
  }

  /** Ask one agent as a profile would start it; one with a terminal UI only tells its version. */
  async probe(spec: LaunchSpec): Promise<AgentInfo> {
    const there = programStamp(spec.command) !== null;
    const command = there ? spec.command : null;
    const hint = there ? null : `The command ${spec.command} isn't on this machine's PATH.`;
    const { agent_kind, agent_name, args, env } = spec;
    const rest = { agent_kind, agent_name, args, env, version_args: ["--version"], hint };
    if (spec.driver === "terminal") {
      const terminal = { command, version_args: rest.version_args };
      const version = await this.gate.run(() => this.versions.ask(terminal));
      return { ...unprobed({ ...rest, command: null, terminal }), terminal: { command, version } };
    }
    const candidate: Candidate = { ...rest, command, terminal: null };
    return there ? await this.ask(candidate) : unprobed(candidate);
  }

  private find(): AgentInfo[] {
    return candidates(this.ports.config).map((candidate) => ({
      ...(this.known(candidate) ?? unprobed(candidate)),
      terminal: this.terminalOf(candidate),
    }));
  }

  private terminalOf({ terminal }: Candidate): AgentInfo["terminal"] {
    return terminal && { command: terminal.command, version: this.versions.of(terminal) };
  }

  private learned(agentKind: string, news: Partial<AgentInfo>): void {
    this.infos = this.infos.map((one) => (one.agent_kind === agentKind ? { ...one, ...news } : one));
    this.ports.changed(this.infos);
  }

  private save(): void {
    writeWhole(this.ports.cachePath, JSON.stringify(this.cache));
  }

  /** What was learned of this very program before. */
  private known(candidate: Candidate): AgentInfo | null {
    const entry = this.cache.probes[keyOf(candidate)];
    if (!entry || candidate.command === null || entry.stamp !== programStamp(candidate.command)) return null;
    return { ...entry.agent, agent_kind: candidate.agent_kind, agent_name: candidate.agent_name };
  }

  private ask(candidate: Candidate): Promise<AgentInfo> {
    return this.gate.run(async () => {
      const command = candidate.command ?? "";
      const stamp = programStamp(command);
      const probe = await probeAgent({ command, args: candidate.args, env: candidate.env });
      const version = (await askVersion(command, candidate.version_args)) ?? (probe.ok ? probe.version : null);
      const info: AgentInfo = {
        ...unprobed(candidate),
        terminal: this.terminalOf(candidate),
        version,
        status: probe.ok ? "ready" : "failed",
        capabilities: probe.ok ? probe.capabilities : null,
        hint: probe.ok ? null : `${candidate.agent_name} doesn't start here: ${probe.message}`.slice(0, 2_000),
      };
      this.ports.log.info({ agent: info.agent_kind, status: info.status, version }, "agent probed");
      // A failure is asked again after the next start: what was wrong may be outside the program.
      if (stamp !== null && probe.ok) {
        this.cache.probes[keyOf(candidate)] = { stamp, agent: info };
        this.save();
      }
      return info;
    });
  }
}

function keyOf(candidate: Candidate): string {
  return JSON.stringify([candidate.command, candidate.args, candidate.env]);
}
