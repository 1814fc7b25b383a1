import { isLocalHost } from "./host.ts";

/**
 * On loopback every port shares one cookie jar, so that the name carries the port: two servers on one machine don't sign
 * each other out. Elsewhere `__Host-` binds it to this very origin.
 */
export function cookieName(host: string): string {
  if (!isLocalHost(host)) return "__Host-reprise";
  return `reprise_${/:(\d+)$/.exec(host)?.[1] ?? "80"}`;
}

export function readCookie(header: string | null, host: string): string | null {
  const name = cookieName(host);
  for (const part of (header ?? "").split(";")) {
    const at = part.indexOf("=");
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
}

/** @param maxAgeS 0 removes it. */
export function cookieHeader(host: string, value: string, maxAgeS: number): string {
  const secure = isLocalHost(host) ? "" : "; Secure";
  return `${cookieName(host)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeS}${secure}`;
}
