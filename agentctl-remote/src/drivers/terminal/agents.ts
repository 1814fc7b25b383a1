import { randomBytes } from "node:crypto";
import { newId } from "@reprise/protocol";
import type { Launch } from "../../host/core/types.ts";
import type { SessionPaths } from "../../host/paths.ts";
import type { Terminals } from "../../terminal/terminals.ts";
import type { Driver, DriverPorts } from "../driver.ts";
import type { AgentTerminal } from "./agent-terminal.ts";
import { found, type LastEnd } from "./core/found.ts";
import type { Report } from "./core/report.ts";
import { saidBy } from "./core/said-by.ts";
import { type Heard, type Seat, TerminalDriver } from "./driver.ts";
import { Reports, type Taken } from "./reports.ts";

export interface TerminalAgentsPorts {
  paths: SessionPaths;
  terminals: Terminals;
  log: DriverPorts["log"];
  /** Somebody started the session's agent in its terminal. A driver is asked for meanwhile, or it isn't wanted. */
  found(launch: Launch): void;
}

/** The terminal agents of one session: one at a time, each perhaps in the shell that the one before has left. */
export class TerminalAgents {
  private readonly ports: TerminalAgentsPorts;
  private reports: Reports | null = null;
  private driver: TerminalDriver | null = null;
  private terminal: AgentTerminal | null = null;
  private launch: Launch | null = null;
  private last: LastEnd | null = null;
  private adopting: { execution_id: string; pid: number; first: Heard } | null = null;

  constructor(ports: TerminalAgentsPorts) {
    this.ports = ports;
  }

  /** Start an agent, or have the one that was found. */
  start(ports: DriverPorts): Driver {
    const { paths, log } = this.ports;
    this.reports ??= new Reports({ folder: paths.reports, log, take: (report, at) => this.take(report, at) });
    this.launch = ports.launch;
    const adopted = this.adopting?.execution_id === ports.launch.command_id ? this.adopting : null;
    this.adopting = null;
    const driver = new TerminalDriver(ports, this.seat(), adopted?.pid ?? null);
    this.driver = driver;
    if (adopted) driver.hear(adopted.first);
    return driver;
  }

  close(): void {
    this.reports?.close();
  }

  private seat(): Seat {
    const { paths, terminals } = this.ports;
    return {
      paths,
      terminals,
      terminal: () => this.terminal,
      moved: (terminal) => {
        this.terminal = terminal;
      },
      look: () => this.reports?.look(),
      release: () => this.reports?.release(),
      over: (last) => {
        this.last = last;
        this.driver = null;
      },
    };
  }

  private take(report: Report, at: number): Taken {
    const { driver, launch } = this;
    if (driver?.paused) return "later";
    if (report.type !== "hook") {
      if (report.execution_id !== driver?.execution_id) return "taken";
      driver.report(report, at);
      // An end is told a moment later, with the words that stand on the screen.
      return report.type === "exit" || driver.paused ? "held" : "taken";
    }
    const { agent_kind, chain, payload } = report;
    // Another agent's hooks: what it says is not this session's.
    if (agent_kind !== launch?.spec.agent_kind) return "taken";
    const said = saidBy(agent_kind, payload);
    if (said === null) return "taken";
    const heard: Heard = { said, chain, at };
    if (driver) driver.hear(heard);
    else this.find(launch, heard);
    return this.driver?.paused ? "held" : "taken";
  }

  /** R7: with no execution open, a conversation in the terminal is a new one. */
  private find(launch: Launch, first: Heard): void {
    const pid = found(first.said, first.chain, first.at, this.terminal?.shell ?? null, this.last);
    if (pid === null) return;
    const execution_id = newId("execution", (n) => randomBytes(n));
    this.adopting = { execution_id, pid, first };
    this.ports.found({ ...launch, command_id: execution_id, how: { type: "new" }, automatic: false, prompt: null });
  }
}
