import type { AgentInfo, LaunchSpec } from "@reprise/protocol";
import { Gate } from "../daemon/gate.ts";
import { readJson } from "../daemon/known.ts";
import { writeWhole } from "../host/spawn.ts";
import { PROBES } from "../limits.ts";
import type { Log } from "../log.ts";
import { type NodeConfig, ProbeCache } from "./config.ts";
import { type Candidate, candidates, programStamp, unprobed } from "./find.ts";
import { askVersion, probeAgent } from "./probe.ts";

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
  private infos: AgentInfo[] = [];

  constructor(ports: AgentsPorts) {
    this.ports = ports;
    const cached = ProbeCache.safeParse(readJson(ports.cachePath));
    this.cache = cached.success ? cached.data : {};
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
      if (candidate.command === null || this.known(candidate)) continue;
      void this.ask(candidate).then((info) => {
        this.infos = this.infos.map((one) => (one.agent_kind === info.agent_kind ? info : one));
        this.ports.changed(this.infos);
      });
    }
    return this.infos;
  }

  /** Ask one agent as a profile would start it. */
  async probe(spec: LaunchSpec): Promise<AgentInfo> {
    const candidate: Candidate = {
      agent_kind: spec.agent_kind,
      agent_name: spec.agent_name,
      command: programStamp(spec.command) === null ? null : spec.command,
      args: spec.args,
      env: spec.env,
      version_args: ["--version"],
      hint: `The command ${spec.command} isn't on this machine's PATH.`,
    };
    return candidate.command === null ? unprobed(candidate) : await this.ask({ ...candidate, hint: null });
  }

  private find(): AgentInfo[] {
    return candidates(this.ports.config).map((candidate) => this.known(candidate) ?? unprobed(candidate));
  }

  /** What was learned of this very program before. */
  private known(candidate: Candidate): AgentInfo | null {
    const entry = this.cache[keyOf(candidate)];
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
        version,
        status: probe.ok ? "ready" : "failed",
        capabilities: probe.ok ? probe.capabilities : null,
        hint: probe.ok ? null : `${candidate.agent_name} doesn't start here: ${probe.message}`.slice(0, 2_000),
      };
      this.ports.log.info({ agent: info.agent_kind, status: info.status, version }, "agent probed");
      // A failure is asked again after the next start: what was wrong may be outside the program.
      if (stamp !== null && probe.ok) {
        this.cache[keyOf(candidate)] = { stamp, agent: info };
        writeWhole(this.ports.cachePath, JSON.stringify(this.cache));
      }
      return info;
    });
  }
}

function keyOf(candidate: Candidate): string {
  return JSON.stringify([candidate.command, candidate.args, candidate.env]);
}
