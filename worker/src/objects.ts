import { RepriseError } from "@reprise/protocol";
import { z } from "zod";

const PlatformError = z.object({ retryable: z.boolean().optional(), overloaded: z.boolean().optional() });

/**
 * Call an object, and once more where the platform says that this helps (a deploy, a moved object). The call makes its
 * own stub: after an error the old one stays broken. Only for calls that may arrive twice; ours all carry ids.
 */
export async function callObject<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const platform = PlatformError.safeParse(error);
    if (platform.success && platform.data.retryable && !platform.data.overloaded) return call();
    throw error;
  }
}

/** @returns the call's value, or null once the time is over: a time-out is not an answer (T3). */
export async function within<T>(ms: number, call: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), ms);
  try {
    return await Promise.race([call, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Run over all, at most so many at once: one that takes long holds up no other. @returns in the order given */
export async function mapBounded<T, R>(items: readonly T[], most: number, run: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Map<number, R>();
  const rest = items.entries();
  const worker = async () => {
    for (const [at, item] of rest) results.set(at, await run(item));
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return [...results].toSorted(([a], [b]) => a - b).map(([, result]) => result);
}

/**
 * Hand an authenticated upgrade on to an object, without the caller's credentials.
 * @throws `bad_request` for a request that is no upgrade.
 */
export function upgradeFor(request: Request, url: string, headers: Readonly<Record<string, string>>): Request {
  if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
    throw new RepriseError("bad_request", "This address takes WebSockets only.");
  }
  const passed = new Headers(request.headers);
  passed.delete("cookie");
  passed.delete("authorization");
  for (const name of [...passed.keys()]) if (name.startsWith("x-reprise-")) passed.delete(name);
  for (const [name, value] of Object.entries(headers)) passed.set(name, value);
  return new Request(url, { headers: passed });
}

/** What an object refused an upgrade for, as the error of every door. @returns the socket's answer. */
export function upgraded(response: Response): Response {
  if (response.status === 101) return response;
  if (response.status === 403) throw new RepriseError("forbidden");
  if (response.status === 404) throw new RepriseError("session_not_found");
  if (response.status === 429)
    throw new RepriseError("rate_limited", "Too many pages look at this already. Close some.");
  throw new Error(`an object answered an upgrade with ${response.status}`);
}
