/** Stands in everything that we write into a person's own configuration: what to look for, and how it goes away again. */
export const MARKER = "Reprise: removed by agentctl hooks uninstall";

/**
 * What an agent's hook runs. Static text: it finds the session's host when it is called, by the environment of the
 * terminal that the agent runs in. Outside Reprise, and where that session is gone, it only takes what it is given (an
 * agent may count a pipe that breaks as a failure), and says nothing.
 */
export function hookCommand(agentKind: string): string {
  return `if [ -x "$REPRISE_REPORT" ]; then "$REPRISE_REPORT" hook ${agentKind}; else cat > /dev/null; fi # ${MARKER}`;
}

export function isOurs(command: unknown): boolean {
  return typeof command === "string" && command.includes(MARKER);
}
