#!/usr/bin/env node
import "./quiet.ts";
import "./small.ts";
import { Command, CommanderError } from "commander";
import { VERSION } from "../version.ts";
import { doctor } from "./doctor.ts";
import { CliError, EXIT, EXIT_HELP } from "./exit.ts";
import { type HooksOptions, hooksInstall, hooksStatus, hooksUninstall } from "./hooks.ts";
import { type JoinOptions, join } from "./join.ts";
import { installService } from "./service.ts";
import { status } from "./status.ts";
import { stopHosts } from "./stop-hosts.ts";
import { down, type UpOptions, up } from "./up.ts";

interface StateOption {
  state?: string;
}

const STATE = ["--state <dir>", "the node's state folder (default: ~/.reprise)"] as const;
const collect = (value: string, all: string[]) => [...all, value];

function print(text: string | null): void {
  if (text !== null) process.stdout.write(`${text}\n`);
}

/** The `agentctl` command line. */
function program(): Command {
  const agentctl = new Command("agentctl")
    .description("Runs coding agents on this machine for your Reprise control plane.")
    .version(VERSION)
    .addHelpText("after", EXIT_HELP)
    .exitOverride();
  agentctl
    .command("join <url> <token>")
    .description("join a control plane with a token made under Machines")
    .option("--name <name>", "what the machine is called (default: its host name)")
    .option("--replace <node>", "take back the place of a machine whose state folder was lost")
    .option("--url <address>", "where the control plane may call this machine, once approved there (with --listen)")
    .option("--listen <host:port>", "where the daemon answers such calls")
    .option(...STATE)
    .action(async (url: string, token: string, options: JoinOptions) => print(await join(url, token, options)));
  agentctl
    .command("up")
    .description("start the daemon")
    .option("--foreground", "stay here and log to stderr (for services)")
    .option("--root <dir>", "allow sessions only below this folder; repeatable", collect, [])
    .option(...STATE)
    .action(async (options: UpOptions) => print(await up(options)));
  agentctl
    .command("down")
    .description("end the daemon; sessions' hosts and agents go on")
    .option(...STATE)
    .action(async ({ state }: StateOption) => print(await down(state)));
  agentctl
    .command("status")
    .description("ask the running daemon how things stand")
    .option("--json", "for programs")
    .option(...STATE)
    .action(async (options: StateOption & { json?: boolean }) => print(await status(options)));
  agentctl
    .command("doctor")
    .description("find what is missing on this machine, and say how to get it")
    .option(...STATE)
    .action(async (options: StateOption) => {
      const { findings, text } = await doctor(options);
      print(text);
      if (findings.some((finding) => !finding.ok)) process.exitCode = EXIT.findings;
    });
  agentctl
    .command("service")
    .description("start the daemon with the machine")
    .command("install")
    .description("write the service file and say how to switch it on")
    .option(...STATE)
    .action((options: StateOption) => print(installService(options)));
  agentctl
    .command("stop-hosts")
    .description("end all sessions' hosts and agents of this state folder")
    .option(...STATE)
    .action(async (options: StateOption) => print(await stopHosts(options)));
  const hooks = agentctl
    .command("hooks")
    .description("what we add to agents' own settings, so that they tell their conversation and turns in a terminal");
  const agent = ["--agent <kind>", "only this agent's (such as claude-code)"] as const;
  hooks
    .command("status")
    .description("say which agents have them")
    .option(...agent)
    .action((options: HooksOptions) => print(hooksStatus(options)));
  hooks
    .command("install")
    .description("add them; sessions do so by themselves, unless they were uninstalled")
    .option(...agent)
    .action((options: HooksOptions) => print(hooksInstall(options)));
  hooks
    .command("uninstall")
    .description("remove exactly them, for good")
    .option(...agent)
    .action((options: HooksOptions) => print(hooksUninstall(options)));
  return agentctl;
}

try {
  await program().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  else {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message}\n`);
    if (!(error instanceof CliError) && process.env["REPRISE_LOG"] === "debug") console.error(error);
    process.exitCode = error instanceof CliError ? error.exit : EXIT.failed;
  }
}
