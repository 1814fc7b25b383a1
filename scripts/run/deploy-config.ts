/** The id that wrangler.toml has for the local database. */
const LOCAL_ID = "00000000-0000-0000-0000-000000000000";

export interface DeployConfig {
  database_id: string;
  /** Where people reach it; unknown before the first deploy. */
  origin: string | null;
}

/**
 * wrangler.toml as it is deployed by this person: with their database, and the address that the Worker answers to.
 * @throws when wrangler.toml no longer has what is replaced
 */
export function deployConfig(base: string, config: DeployConfig): string {
  const note = "# Made by `npm run deploy` for your own account. Not to be committed.\n";
  const withDatabase = replaceOnce(base, `database_id = "${LOCAL_ID}"`, `database_id = "${config.database_id}"`);
  const { origin } = config;
  return (
    note +
    (origin === null ? withDatabase : replaceOnce(withDatabase, 'PUBLIC_ORIGIN = ""', `PUBLIC_ORIGIN = "${origin}"`))
  );
}

function replaceOnce(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2) throw new Error(`wrangler.toml must have ${from} exactly once.`);
  return text.replace(from, () => to);
}

/** The address that an earlier deploy wrote down. */
export function originIn(config: string): string | null {
  return /^PUBLIC_ORIGIN = "(https:[^"]+)"$/m.exec(config)?.[1] ?? null;
}
