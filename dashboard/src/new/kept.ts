import type { KeptConversation } from "@reprise/protocol";
import { ApiError } from "@reprise/sdk";
import { z } from "zod";

/** Those that fit what was typed, in their order: by their title, or by the beginning of their id. */
export function matching<T extends KeptConversation>(all: readonly T[], typed: string): readonly T[] {
  const words = typed.trim().toLowerCase();
  if (words === "") return all;
  return all.filter(({ id, title }) => title?.toLowerCase().includes(words) || id.toLowerCase().startsWith(words));
}

/** What was typed, where it can only be an id that is not in the list; null else. */
export function pastedId(all: readonly KeptConversation[], typed: string): string | null {
  const id = typed.trim();
  const known = all.some((each) => each.id === id) || matching(all, id).length > 0;
  return id === "" || /\s/.test(id) || known ? null : id;
}

const Holder = z.object({ session_id: z.string() });

/** The session that goes on with the wanted conversation already, where that is why none was made; null else. */
export function holderOf(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.code !== "token_in_use") return null;
  const holder = Holder.safeParse(error.details);
  return holder.success ? holder.data.session_id : null;
}
