import { z } from "zod";
import { Explained } from "../lib/explained.ts";

/** Runs wrangler. `records` are the lines that it writes for programs. */
export type Wrangler = (args: readonly string[]) => Promise<{ code: number; output: string; records: string[] }>;

const Whoami = z.object({ loggedIn: z.boolean(), email: z.string().nullish() });
const Databases = z.array(z.object({ uuid: z.string(), name: z.string() }));
const Deployed = z.object({ type: z.literal("deploy"), targets: z.array(z.string()).nullish() });

/** The JSON in what a command printed: wrangler may say something before it. */
function jsonIn<S extends z.ZodType>(output: string, schema: S): z.infer<S> | null {
  const from = output.search(/[[{]/);
  if (from < 0) return null;
  try {
    const parsed = schema.safeParse(JSON.parse(output.slice(from)));
    return parsed.success ? parsed.data : null;
  } catch {
    // Told by the caller, with the output.
    return null;
  }
}

async function must(wrangler: Wrangler, args: readonly string[], what: string) {
  const result = await wrangler(args);
  if (result.code !== 0) throw new Explained(`${result.output.trimEnd()}\n${what} failed.`);
  return result;
}

/** Whose account it goes to. @throws with what to do when nobody is signed in */
export async function whoami(wrangler: Wrangler): Promise<string> {
  const { code, output } = await wrangler(["whoami", "--json"]);
  const who = jsonIn(output, Whoami);
  if (code !== 0 || !who?.loggedIn) {
    throw new Explained(
      "You are not signed in to Cloudflare. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN, then run `npm run deploy` again.",
    );
  }
  return who.email ?? "an API token's account";
}

/** The id of the database of that name; made if there is none. */
export async function ensureDatabase(wrangler: Wrangler, name: string): Promise<{ id: string; made: boolean }> {
  const find = async () => {
    const { output } = await must(wrangler, ["d1", "list", "--json"], "Listing the databases of your account");
    const databases = jsonIn(output, Databases);
    if (!databases) throw new Explained(`wrangler listed the databases in words that are not understood:\n${output}`);
    return databases.find((database) => database.name === name)?.uuid;
  };
  const there = await find();
  if (there) return { id: there, made: false };
  await must(wrangler, ["d1", "create", name], `Making the database "${name}"`);
  const made = await find();
  if (!made) throw new Explained(`The database "${name}" was made, but your account doesn't list it yet. Try again.`);
  return { id: made, made: true };
}

export async function migrateRemote(wrangler: Wrangler, config: string): Promise<void> {
  await must(wrangler, ["d1", "migrations", "apply", "DB", "--remote", "--config", config], "Migrating the database");
}

/** @returns the address that wrangler says it is at */
export async function deployWorker(
  wrangler: Wrangler,
  config: string,
  secrets: string,
  domain: string | null,
): Promise<string> {
  const at = domain === null ? [] : ["--domain", domain];
  const { records, output } = await must(
    wrangler,
    ["deploy", "--config", config, "--secrets-file", secrets, ...at],
    "The deploy",
  );
  const targets = records.flatMap((line) => jsonIn(line, Deployed)?.targets ?? []);
  const origin = domain === null ? targets.map(originOf).find((found) => found !== null) : `https://${domain}`;
  if (!origin) throw new Explained(`${output.trimEnd()}\nIt is deployed, but wrangler told no address of it.`);
  return origin;
}

function originOf(target: string): string | null {
  const address = /^(?:https:\/\/)?([a-z0-9.-]+\.[a-z]+)(?:\/|\s|$)/i.exec(target)?.[1];
  return address === undefined ? null : `https://${address.toLowerCase()}`;
}
