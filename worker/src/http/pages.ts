import { PAGE_DATA_ID, type PageData, RepriseError, SessionId } from "@reprise/protocol";
import { me } from "../auth/people.ts";
import { listProfiles } from "../db/profiles.ts";
import { listTasks } from "../db/tasks.ts";
import { randomBytes } from "../ids.ts";
import { listSessions } from "../listing/listing.ts";
import { listNodes } from "../listing/nodes.ts";
import { type Ctx, listing, personOf } from "./context.ts";
import { identify } from "./guard.ts";
import { pageHeaders } from "./page-headers.ts";
import { detailOf } from "./session.ts";
import { buildVersion } from "./version.ts";

/** A page with its data in it, so that the first paint is the truth. */
export async function page(c: Ctx): Promise<Response> {
  const shell = await c.env.ASSETS.fetch(new URL("/index.html", c.req.url));
  if (!shell.ok) {
    await shell.body?.cancel();
    throw new RepriseError("internal", "The dashboard isn't built.");
  }
  const data = await pageData(c);
  const nonce = btoa(String.fromCharCode(...randomBytes(16)));
  const filled = new HTMLRewriter()
    .on("head", {
      element(head) {
        // Where libraries that must add a style element find the nonce for it.
        head.append(`<meta property="csp-nonce" nonce="${nonce}">`, { html: true });
      },
    })
    .on("body", {
      element(body) {
        body.append(`<script type="application/json" id="${PAGE_DATA_ID}">${inlineJson(data)}</script>`, {
          html: true,
        });
      },
    })
    .transform(shell);
  return new Response(filled.body, { status: 200, headers: pageHeaders(nonce, new URL(c.req.url).protocol) });
}

/** JSON that can't end the block it stands in (S5). */
export function inlineJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

/** All that the page at this address begins with; nothing for those who aren't signed in. */
async function pageData(c: Ctx): Promise<PageData> {
  const identity = await pageIdentity(c);
  if (!identity) {
    return { me: null, sessions: [], nodes: [], tasks: [], profiles: [], session: null, as_of: c.var.now };
  }
  const ctx = listing(c);
  const [person, sessions, nodes, tasks, profiles, session] = await Promise.all([
    me(c.var.db, personOf(c)),
    listSessions(ctx, { archived: false }),
    listNodes(ctx),
    listTasks(c.var.db),
    listProfiles(c.var.db, c.var.now),
    sessionOfPage(c),
  ]);
  const account = { person, version: buildVersion(c.env) };
  return { me: account, sessions, nodes, tasks, profiles, session, as_of: c.var.now };
}

/** A page is there for everyone; a broken credential is like none. */
async function pageIdentity(c: Ctx) {
  try {
    const { identity } = await identify(c);
    c.set("identity", identity);
    return identity?.kind === "viewer" ? identity : null;
  } catch (error) {
    if (error instanceof RepriseError) return null;
    throw error;
  }
}

/** A session's page is one whose address ends in its id, below a task's or not. */
async function sessionOfPage(c: Ctx): Promise<PageData["session"]> {
  const id = SessionId.safeParse(/\/sessions\/([^/]+)\/?$/.exec(c.req.path)?.[1]);
  if (!id.success) return null;
  try {
    return { session_id: id.data, ...(await detailOf(listing(c), id.data)) };
  } catch (error) {
    // The page itself says that there is no such session.
    if (error instanceof RepriseError && error.code === "session_not_found") return null;
    throw error;
  }
}
