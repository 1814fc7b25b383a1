import { type Client, createClient } from "@reprise/sdk";
import { signInLink } from "../../../scripts/run/setup.ts";

/** The owner's client, signed in as a browser would be. */
export async function owner(origin: string, setupSecret: string): Promise<Client> {
  let cookie = "";
  const client = createClient({
    origin,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set("origin", origin);
      if (cookie) headers.set("cookie", cookie);
      const response = await fetch(input, { ...init, headers });
      const set = response.headers.getSetCookie()[0];
      if (set !== undefined) cookie = set.split(";")[0] ?? "";
      return response;
    },
  });
  await client.account.signIn(new URL(await signInLink(origin, setupSecret)).hash.slice(1));
  return client;
}
