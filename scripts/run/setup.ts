import { type Client, createClient } from "@reprise/sdk";
import { z } from "zod";
import { Explained } from "../lib/explained.ts";

const Link = z.object({ url: z.string(), expires_at: z.number() });
const Join = z.object({ token: z.string() });

async function setup<S extends z.ZodType>(
  origin: string,
  secret: string,
  path: string,
  answer: S,
): Promise<z.infer<S>> {
  const response = await fetch(new URL(path, origin), {
    method: "POST",
    headers: { authorization: `Bearer ${secret}` },
  });
  const text = await response.text();
  if (!response.ok) throw new Explained(`${path} answered ${response.status}: ${text.slice(0, 500)}`);
  return answer.parse(JSON.parse(text));
}

/** A link that signs one browser in, once. */
export async function signInLink(origin: string, secret: string): Promise<string> {
  return (await setup(origin, secret, "/api/setup/sign-in-link", Link)).url;
}

/** A token by which the local node joins. */
export async function localJoinToken(origin: string, secret: string): Promise<string> {
  return (await setup(origin, secret, "/api/setup/join-token", Join)).token;
}

/**
 * A client signed in as the owner, with a link of its own, as a browser on our own pages would be.
 * @param see gets a look at each answer
 */
export async function ownerClient(origin: string, secret: string, see?: (response: Response) => void): Promise<Client> {
  const link = await signInLink(origin, secret);
  let cookie = "";
  const client = createClient({
    origin,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set("origin", origin);
      if (cookie) headers.set("cookie", cookie);
      const response = await fetch(input, { ...init, headers });
      see?.(response);
      const set = response.headers.getSetCookie()[0];
      if (set !== undefined) cookie = set.split(";")[0] ?? "";
      return response;
    },
  });
  await client.account.signIn(new URL(link).hash.slice(1));
  return client;
}

/** Looks at the API as the owner and signs out again, so that no credential is left. */
export async function asOwner<T>(origin: string, secret: string, look: (client: Client) => Promise<T>): Promise<T> {
  const client = await ownerClient(origin, secret);
  try {
    return await look(client);
  } finally {
    await client.account.signOut();
  }
}
