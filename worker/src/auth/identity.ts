/** Who asks (S1). Different things with different reach. */
export type Identity =
  /** A person in a browser; `auth_session_id` is null for one whom Cloudflare Access let in. */
  | { kind: "viewer"; person_id: string; auth_session_id: string | null }
  | { kind: "api_token"; person_id: string; token_id: string }
  | { kind: "node"; node_id: string };

/** Parts of the API, by who may use them. */
export type Reach = "open" | "work" | "account" | "node";

/** @returns which part of the API a path belongs to. What isn't named is for those who are signed in. */
export function reachOf(path: string): Reach {
  if (path === "/api/health" || path === "/api/sign-in" || path === "/api/agentctl/join") return "open";
  // The setup secret is checked there: it is no identity.
  if (path.startsWith("/api/setup/")) return "open";
  if (path.startsWith("/api/agentctl/")) return "node";
  // Making and revoking credentials takes a person: a leaked token must not be able to make another.
  if (path.startsWith("/api/account/") && path !== "/api/account/me") return "account";
  if (path === "/api/join-tokens" || path === "/api/sign-out") return "account";
  return "work";
}

export function mayReach(identity: Identity, reach: Reach): boolean {
  switch (reach) {
    case "open":
      return true;
    case "work":
      return identity.kind !== "node";
    case "account":
      return identity.kind === "viewer";
    case "node":
      return identity.kind === "node";
  }
}
