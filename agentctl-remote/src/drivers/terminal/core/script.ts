import { quoted } from "./quote.ts";

/** An operating system command that no terminal knows: the wrapper's word that the agent's own output ends here. */
export const AGENT_ENDED_OSC = 6973;

/** A report's JSON is read up to this; more is cut, and then says nothing. */
const MAX_HOOK_BYTES = 256 * 1024;
/** Parents that a hook names: an agent under npx, under a package's launcher, is six deep. */
const MAX_CHAIN = 24;

export interface RunScript {
  execution_id: string;
  /** The agent's command line. */
  words: readonly string[];
  env: Readonly<Record<string, string>>;
  reports: string;
  /** The agent starts once this file is there. */
  go: string;
  /** Whoever writes that file: without it, or once it has taken this script away, the agent never starts. */
  host_pid: number;
}

/**
 * The wrapper of one agent, for `sh`: it tells that it is there, waits until that is on disk, runs the agent, and tells
 * how that ended, also when its host is dead by then. Signals are caught, not ignored: the agent gets its defaults.
 */
export function runScript({ execution_id, words, env, reports, go, host_pid }: RunScript): string {
  const exports = Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}`);
  return `# Written by Reprise for one start of an agent; a new start gets a new one.
reprise_reports=${quoted(reports)}
reprise_tell() {
  # Once more: a signal for all of its group ends a program in the middle of its work.
  for _ in 1 2; do
    printf '%s\\n' "$2" >"$reprise_reports/$1.tmp"
    if mv "$reprise_reports/$1.tmp" "$reprise_reports/$1.report" 2>/dev/null; then break; fi
  done
}
reprise_hung=-
reprise_tty=
if [ -t 0 ]; then reprise_tty=yes; fi
trap 'reprise_hung=hup' HUP TERM
trap : INT QUIT
${exports.join("\n")}
reprise_tell start-${execution_id} "start ${execution_id} $$"
while [ ! -e ${quoted(go)} ]; do
  if ! kill -0 ${host_pid} 2>/dev/null || [ ! -e "$0" ]; then exit 125; fi
  sleep 0.02 2>/dev/null || sleep 1
done
${words.map(quoted).join(" ")}
reprise_status=$?
# One that read the end of its terminal may be gone before anybody is told that the terminal is.
if [ -n "$reprise_tty" ] && [ ! -t 0 ]; then reprise_hung=hup; fi
if [ -n "$reprise_tty" ] && [ -t 0 ]; then
  reprise_modes=$(stty -g 2>/dev/null)
  ${DRAIN}
  stty "$reprise_modes" 2>/dev/null
fi
printf '\\033]${AGENT_ENDED_OSC};\\007' 2>/dev/null
reprise_tell exit-${execution_id} "exit ${execution_id} $reprise_status $reprise_hung"
if [ "$reprise_status" -ne 0 ]; then
  # What it set and could not take back: the shell behind it is to be usable.
  stty sane 2>/dev/null
  printf '${RESET}' 2>/dev/null
fi
exit 0
`;
}

/** What was typed for an agent that never read it is not its shell's to run. */
const DRAIN = "stty -icanon min 0 time 0 2>/dev/null && cat >/dev/null 2>&1";

/** Leaves the other screen, shows the cursor, ends mouse reports, pastes in brackets, focus reports and other keyboards. */
const RESET = ["?47l", "?25h", "?1l", "?1000l", "?1002l", "?1003l", "?1006l", "?2004l", "?1004l", "<u", ">4;0m", "0m"]
  .map((code) => `\\033[${code}`)
  .join("");

/**
 * What hooks and plugins of agents call, with the agent's kind and JSON on their input. It says nothing, fails never,
 * and names its parents, so that the host can tell whose words these are. What it isn't to tell it takes all the same: an
 * agent may count a pipe that breaks as a failure.
 * @param reports where to @param agentKind whose session it is: what agents of other kinds say is nobody's word
 */
export function reportScript(reports: string, agentKind: string): string {
  return `#!/bin/sh
# Written by Reprise: REPORT hook <agent kind> <JSON
exec 2>/dev/null
reports=${quoted(reports)}
if [ "$1" != hook ] || [ "$2" != ${quoted(agentKind)} ] || [ ! -d "$reports" ]; then
  cat >/dev/null
  exit 0
fi
umask 077
chain=$PPID
at=$PPID
left=${MAX_CHAIN}
while [ "$left" -gt 0 ] && [ "$at" -gt 1 ]; do
  left=$((left - 1))
  above=
  if [ -r "/proc/$at/status" ]; then
    while read -r name value rest; do
      if [ "$name" = PPid: ]; then
        above=$value
        break
      fi
    done <"/proc/$at/status"
  else
    above=$(ps -o ppid= -p "$at" | tr -d ' ')
  fi
  case $above in '' | *[!0-9]*) break ;; esac
  chain="$chain $above"
  at=$above
done
file=$reports/hook-$$-$PPID
{
  printf 'hook %s %s\\n' "$2" "$chain"
  head -c ${MAX_HOOK_BYTES}
  cat >/dev/null
} >"$file.tmp" && mv "$file.tmp" "$file.report"
exit 0
`;
}

/**
 * Runs the wrapper, and brings it back whenever it is suspended (Ctrl-Z): the shell behind it, which knows nothing of
 * this job, could only end it or leave it stopped for ever, and would run what Reprise types for the agent. By calling
 * itself, because bash ends its loops with a job that stops. Those are a shell's statuses of such a job, and of one that
 * was killed before it could clean up.
 */
const FOREGROUND = `reprise_back() {
  case $? in
    14[5-9] | 150)
      fg >/dev/null 2>&1
      reprise_back
      ;;
    12[89] | 1[3-9]? | 2??)
      ${DRAIN}
      stty sane 2>/dev/null
      printf '${RESET}' 2>/dev/null
      ;;
  esac
}
/usr/bin/env "$1" /bin/sh "$0"
reprise_back`;

/**
 * What the person's shell is asked to do: run the wrapper, with the mark by which all of the agent's processes are
 * found, then be a shell. Quoted alike in every shell that is asked this way. Only an interactive `sh` has jobs, in
 * whatever shell it runs; its start-up file would be `ENV`.
 */
export function shellLine(run: string, execution: { variable: string; id: string }, shell: readonly string[]): string {
  const again = shell.map(quoted).join(" ");
  const mark = `${execution.variable}=${execution.id}`;
  return `/usr/bin/env ENV= /bin/sh -i -c ${quoted(FOREGROUND)} ${quoted(run)} ${mark}; exec ${again}`;
}
