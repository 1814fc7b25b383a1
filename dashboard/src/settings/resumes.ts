import { type AgentProfile, canResume } from "@reprise/protocol";

/** "Can resume on mini; can't on gpu1 (Docker)": by what it said at its last start there; null before the first. */
export function resumesWhere(profile: AgentProfile, nameOf: (nodeId: string) => string | undefined): string | null {
  const places = (can: boolean) =>
    profile.capabilities
      .filter((one) => canResume(one.capabilities) === can)
      .flatMap(({ node_id, runtime }) => {
        const name = nameOf(node_id);
        return name === undefined ? [] : [runtime === "docker" ? `${name} (Docker)` : name];
      })
      .join(", ");
  const [yes, no] = [places(true), places(false)];
  const words = [yes && `can resume on ${yes}`, no && `can't resume on ${no}`].filter(Boolean).join("; ");
  return words === "" ? null : words;
}
