import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { loadIdentity } from "../daemon/identity.ts";
import { statePaths } from "../daemon/paths.ts";
import { CliError, EXIT } from "./exit.ts";

export interface ServicePlan {
  path: string;
  text: string;
  /** How it is switched on. */
  next: string[];
}

/** What would be written so that the daemon starts with the machine. @param script the agentctl program */
export function servicePlan(
  platform: string,
  home: string,
  program: { node: string; script: string; state: string; path: string },
): ServicePlan | null {
  const args = [program.node, program.script, "up", "--foreground", "--state", program.state];
  if (platform === "linux") {
    const path = join(home, ".config/systemd/user/agentctl.service");
    return {
      path,
      text: systemdUnit(args, program.path),
      next: ["systemctl --user daemon-reload", "systemctl --user enable --now agentctl", "loginctl enable-linger"],
    };
  }
  if (platform === "darwin") {
    const path = join(home, "Library/LaunchAgents/dev.reprise.agentctl.plist");
    return { path, text: launchdPlist(args, program), next: [`launchctl bootstrap gui/$(id -u) ${path}`] };
  }
  return null;
}

/** systemd's own quoting: percent and dollar signs are its own, too. */
function systemdQuote(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;
}

function systemdUnit(args: readonly string[], path: string): string {
  return `[Unit]
Description=Reprise agentctl daemon
After=network-online.target

[Service]
ExecStart=${args.map(systemdQuote).join(" ")}
Environment=${systemdQuote(`PATH=${path}`)}
Restart=always
RestartSec=2
# Only the daemon itself: the default kills every host and agent with it at a restart.
KillMode=process

[Install]
WantedBy=default.target
`;
}

function xml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function launchdPlist(args: readonly string[], program: { state: string; path: string }): string {
  const log = xml(join(program.state, "daemon.log"));
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>dev.reprise.agentctl</string>
  <key>ProgramArguments</key>
  <array>
${args.map((arg) => `    <string>${xml(arg)}</string>`).join("\n")}
  </array>
  <key>EnvironmentVariables</key>
  <dict><key>PATH</key><string>${xml(program.path)}</string></dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><true/>
  <!-- Hosts outlive the daemon. -->
  <key>AbandonProcessGroup</key><true/>
  <key>StandardErrorPath</key><string>${log}</string>
</dict>
</plist>
`;
}

/** Write the service file of this system, and say what was written. */
export function installService(options: { state?: string }): string {
  const paths = statePaths(options.state);
  if (!loadIdentity(paths).joined)
    throw new CliError(EXIT.not_joined, "Join first: agentctl join URL TOKEN. A service without that would only fail.");
  const plan = servicePlan(process.platform, homedir(), {
    node: process.execPath,
    script: process.argv[1] ?? "",
    state: paths.dir,
    // Agents are found on PATH, and a service starts with a short one.
    path: process.env["PATH"] ?? "",
  });
  if (!plan)
    throw new CliError(
      EXIT.failed,
      `There is no service for ${process.platform}. Run \`agentctl up --foreground\` under your own.`,
    );
  mkdirSync(dirname(plan.path), { recursive: true });
  writeFileSync(plan.path, plan.text);
  return `Wrote ${plan.path}:\n\n${plan.text}\nSwitch it on with:\n${plan.next.map((line) => `  ${line}`).join("\n")}`;
}
