import { createRoute, z } from "@hono/zod-openapi";
import { MAX_TERMINAL_CHUNK, Ok, RepriseError, SessionId, TerminalId, TerminalInput } from "@reprise/protocol";
import { unwrap } from "../../result.ts";
import { listing, routes } from "../context.ts";
import { answers, takes } from "../describe.ts";
import { statusOrThrow } from "../session.ts";

const input = createRoute({
  method: "post",
  path: "/sessions/{id}/terminals/{terminalId}/input",
  request: { params: z.object({ id: SessionId, terminalId: TerminalId }), body: takes(TerminalInput) },
  responses: { 200: answers(Ok, "Delivered to the terminal's program, whether anybody has it open or not (B1).") },
});

/** @returns its bytes as frames carry them */
function bytesOf({ text, data }: z.infer<typeof TerminalInput>): string {
  if (data !== undefined) return data;
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > MAX_TERMINAL_CHUNK)
    throw new RepriseError("invalid_field", `text: at most ${MAX_TERMINAL_CHUNK} bytes at a time`, { field: "text" });
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** A session's terminals, without a pane. */
export const terminalRoutes = routes().openapi(input, async (c) => {
  const { id, terminalId } = c.req.valid("param");
  const data = bytesOf(c.req.valid("json"));
  const { node } = await statusOrThrow(listing(c), id);
  const request = { op: "terminal_input" as const, session_id: id, terminal_id: terminalId, data };
  unwrap(await c.env.NODES.getByName(node.id).request(request));
  return c.json({ ok: true as const }, 200);
});
