import { ErrorBody } from "@reprise/protocol";
import type { z } from "zod";
import { ApiError } from "../errors.ts";

export interface CallOptions {
  /** Where the control plane is: `https://host`, without a path. */
  origin: string;
  /** An API token; a browser has its cookie instead. */
  token?: string | undefined;
  fetch?: typeof fetch | undefined;
}

export interface CallExtras {
  body?: unknown;
  query?: Readonly<Record<string, string | number | undefined>>;
  signal?: AbortSignal | undefined;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** One request; its answer is what the schema says, or an ApiError. */
export type Call = <S extends z.ZodType>(
  method: Method,
  path: string,
  answer: S,
  extras?: CallExtras,
) => Promise<z.infer<S>>;

/**
 * The one way to the HTTP door. Answers are read through the protocol's schemas rather than typed by Hono's `hc`: the
 * Worker may be a version apart from this client, so its word is checked, not assumed.
 */
export function createCall(options: CallOptions): Call {
  const send = options.fetch ?? fetch;
  return async (method, path, answer, extras = {}) => {
    const url = new URL(path, options.origin);
    for (const [key, value] of Object.entries(extras.query ?? {})) {
      if (value !== undefined) url.searchParams.set(key, String(value));
    }
    const headers = new Headers({ accept: "application/json" });
    if (options.token !== undefined) headers.set("authorization", `Bearer ${options.token}`);
    if (extras.body !== undefined) headers.set("content-type", "application/json");
    let status: number;
    let text: string;
    try {
      const response = await send(url, {
        method,
        headers,
        body: extras.body === undefined ? null : JSON.stringify(extras.body),
        signal: extras.signal ?? null,
      });
      status = response.status;
      text = await response.text();
    } catch (cause) {
      // Ended on purpose by the caller: that is no fault of the network.
      if (extras.signal?.aborted) throw cause;
      const why = "The control plane can't be reached. Check that it runs and that you are online.";
      throw new ApiError(0, "unreachable", why, undefined, { cause });
    }
    return readAnswer(status, text, answer);
  };
}

function readAnswer<S extends z.ZodType>(status: number, text: string, answer: S): z.infer<S> {
  const json = parseJson(text);
  if (status >= 200 && status < 300) {
    const parsed = answer.safeParse(json);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    throw new ApiError(status, "bad_answer", "The control plane's answer has an unexpected form. Reload the page.", {
      field: issue?.path.map(String).join(".") ?? "",
      problem: issue?.message ?? "not JSON",
    });
  }
  const told = ErrorBody.safeParse(json);
  if (told.success) {
    const { code, message, details } = told.data.error;
    throw new ApiError(status, code, message, details);
  }
  throw new ApiError(status, "bad_answer", `The control plane answered with status ${status} and no explanation.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON is one of the wrong forms: the schemas refuse undefined.
    return undefined;
  }
}
