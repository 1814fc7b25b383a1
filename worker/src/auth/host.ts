const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"]);

export interface HostConfig {
  PUBLIC_ORIGIN?: string | undefined;
  ALLOWED_HOSTS?: string | undefined;
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, "").toLowerCase();
}

/** Loopback, where cookies go without `Secure` (S2). */
export function isLocalHost(host: string): boolean {
  return LOCAL.has(nameOf(host));
}

function originHost(origin: string | undefined): string | null {
  if (!origin) return null;
  return URL.canParse(origin) ? new URL(origin).host : null;
}

/** Whether this server answers to that host name at all: others are DNS rebinding (S2). */
export function hostAllowed(host: string, config: HostConfig): boolean {
  if (isLocalHost(host)) return true;
  const listed = (config.ALLOWED_HOSTS ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
  const wanted = host.toLowerCase();
  return listed.includes(wanted) || listed.includes(nameOf(wanted)) || originHost(config.PUBLIC_ORIGIN) === wanted;
}

/**
 * Whether a state change or upgrade comes from our own pages (S2). Programs send no Origin; browsers always do, so that
 * with a cookie a missing one is refused.
 */
export function originAllowed(origin: string | null, host: string, config: HostConfig, byCookie: boolean): boolean {
  if (origin === null) return !byCookie;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin).host;
  return from === host.toLowerCase() || from === originHost(config.PUBLIC_ORIGIN);
}
