import { CapabilitiesAnswer } from "@reprise/protocol";
import { MAX_CALL_BYTES, OUTBOUND_MS } from "../limits.ts";
import type { CallResult } from "./core/call.ts";

/**
 * Calls a machine at its registered address (N7): Health, Capabilities, then Knock, upon which it dials in. Only from an
 * alarm, only after its owner's approval. Never follows a redirect, reads a small answer, and waits 5 s a call.
 */
export async function callMachine(base: string, secret: string): Promise<CallResult> {
  const headers = { authorization: `Bearer ${secret}` };
  const health = await ask(`${base}/health`, { headers });
  if (!health.ok) return health;
  const told = await ask(`${base}/capabilities`, { headers });
  if (!told.ok) return told;
  const capabilities = CapabilitiesAnswer.safeParse(parse(told.text));
  if (!capabilities.success) return failed("call_refused", "What answers there is no agentctl.");
  const knock = await ask(`${base}/knock`, { headers, method: "POST" });
  return knock.ok ? { ok: true, capabilities: capabilities.data } : knock;
}

type Answered = { ok: true; text: string } | Extract<CallResult, { ok: false }>;

async function ask(url: string, init: { headers: Record<string, string>; method?: string }): Promise<Answered> {
  try {
    const response = await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(OUTBOUND_MS) });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      return failed("call_redirected", "It answers with a redirect, which isn't followed. Register the final address.");
    }
    const text = await readCapped(response);
    if (text === null) return failed("call_refused", `Its answer is longer than ${MAX_CALL_BYTES} bytes.`);
    if (response.status === 401)
      return failed("call_refused", "It doesn't know our knock: it belongs to another machine.");
    if (!response.ok) return failed("call_refused", `It answers with HTTP ${response.status}.`);
    return { ok: true, text };
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError")
      return failed("call_timeout", `It doesn't answer within ${OUTBOUND_MS / 1000} s.`);
    console.warn("a machine's address can't be reached", { url, error: String(error) });
    return failed("call_unreachable", "Nothing answers at its address.");
  }
}

async function readCapped(response: Response): Promise<string | null> {
  const reader = response.body?.getReader();
  if (!reader) return "";
  const decoder = new TextDecoder();
  let [bytes, text] = [0, ""];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MAX_CALL_BYTES) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Told as "no agentctl".
    return null;
  }
}

function failed(code: Extract<CallResult, { ok: false }>["code"], message: string): Extract<CallResult, { ok: false }> {
  return { ok: false, code, message };
}
