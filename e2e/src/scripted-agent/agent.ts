import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import * as acp from "@agentclientprotocol/sdk";
import { LATE_REPLAY_MS } from "./limits.ts";
import type { Options } from "./options.ts";
import { readScript } from "./script.ts";
import { Settings } from "./settings.ts";
import { type Store, textIn } from "./store.ts";
import { runStep } from "./turn.ts";

type Live = { readonly cwd: string; readonly settings: Settings; running: AbortController | undefined };

/** The scripted agent: an ACP agent whose prompts are its script and whose flags are its faults. */
export function scriptedAgent(options: Options, store: Store): acp.AgentApp {
  const live = new Map<string, Live>();
  let asksForms = false;

  function open(sessionId: string, cwd: string): Live {
    const session: Live = { cwd, settings: new Settings(), running: undefined };
    live.set(sessionId, session);
    return session;
  }

  function find(sessionId: string): Live {
    const session = live.get(sessionId);
    if (!session) throw acp.RequestError.sessionNotFound(sessionId);
    return session;
  }

  async function restore(params: acp.LoadSessionRequest, client: acp.AgentContext, replay: boolean): Promise<Live> {
    if (options["load-hangs"]) await new Promise(() => undefined);
    if (options["load-fails"] !== undefined) {
      throw new acp.RequestError(-32603, options["load-fails"], { details: options["load-fails"] });
    }
    const stored = options.gone ? undefined : store.read(params.sessionId);
    if (!stored) throw acp.RequestError.resourceNotFound(params.sessionId);
    const send = (update: acp.SessionUpdate) =>
      client.notify(acp.methods.client.session.update, { sessionId: params.sessionId, update });
    if (replay) for (const update of stored.updates) await send(update);
    const last = stored.updates.at(-1);
    // Nobody waits for it: it is meant to come after the answer, as one real adapter's does.
    if (options["late-replay"] && last) setTimeout(() => send(last).catch(report), LATE_REPLAY_MS);
    return open(params.sessionId, params.cwd);
  }

  return acp
    .agent({ name: "scripted-agent" })
    .onRequest(acp.methods.agent.initialize, async ({ params }) => {
      if (options["init-hangs"]) await new Promise(() => undefined);
      if (options["init-delay"] !== undefined) await pause(Number(options["init-delay"]));
      asksForms = Boolean(params.clientCapabilities?.elicitation?.form);
      return {
        protocolVersion: acp.PROTOCOL_VERSION,
        agentInfo: { name: options.name ?? "scripted-agent", title: "Scripted agent", version: "1.0.0" },
        agentCapabilities: {
          loadSession: !options["no-load"],
          promptCapabilities: { image: false, embeddedContext: true },
          sessionCapabilities: { list: {}, ...(!options["no-resume"] && { resume: {} }) },
        },
        authMethods: [],
      };
    })
    .onRequest(acp.methods.agent.session.new, ({ params }) => {
      const sessionId = options["same-session-id"] ?? randomUUID();
      store.create(sessionId, params.cwd);
      return { sessionId, ...open(sessionId, params.cwd).settings.state() };
    })
    .onRequest(acp.methods.agent.session.load, async ({ params, client }) => {
      if (options["no-load"]) throw acp.RequestError.methodNotFound("session/load");
      return (await restore(params, client, !options["no-replay-on-load"])).settings.state();
    })
    .onRequest(acp.methods.agent.session.resume, async ({ params, client }) => {
      if (options["no-resume"]) throw acp.RequestError.methodNotFound("session/resume");
      const request = { ...params, mcpServers: params.mcpServers ?? [] };
      return (await restore(request, client, options["replay-on-resume"])).settings.state();
    })
    .onRequest(acp.methods.agent.session.list, () => ({
      sessions: store.list().map(({ sessionId, cwd, updates }) => ({
        sessionId,
        cwd,
        title: updates.map(textIn).find((text) => text !== "") ?? null,
      })),
    }))
    .onRequest(acp.methods.agent.session.setMode, ({ params }) => {
      if (!find(params.sessionId).settings.set("mode", params.modeId)) throw acp.RequestError.invalidParams(params);
      return {};
    })
    .onRequest(acp.methods.agent.session.setConfigOption, ({ params }) => {
      const { settings } = find(params.sessionId);
      if (!settings.set(params.configId, params.value)) throw acp.RequestError.invalidParams(params);
      return { configOptions: settings.state().configOptions };
    })
    .onRequest(acp.methods.agent.session.prompt, async ({ params, client }) => {
      const session = find(params.sessionId);
      if (session.running) throw acp.RequestError.invalidRequest(undefined, "a turn is running already");
      const running = new AbortController();
      session.running = running;
      try {
        await turn(params, session, running.signal, client);
        return { stopReason: running.signal.aborted ? "cancelled" : "end_turn" };
      } finally {
        session.running = undefined;
      }
    })
    .onNotification(acp.methods.agent.session.cancel, ({ params }) => {
      live.get(params.sessionId)?.running?.abort();
    });

  async function turn(
    { sessionId, prompt }: acp.PromptRequest,
    session: Live,
    cancelled: AbortSignal,
    client: acp.AgentContext,
  ): Promise<void> {
    const said = prompt.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    store.append(sessionId, { sessionUpdate: "user_message_chunk", content: { type: "text", text: said } });
    const context = {
      sessionId,
      cwd: session.cwd,
      client,
      cancelled,
      asksForms,
      tell: (update: acp.SessionUpdate) => {
        store.append(sessionId, update);
        return client.notify(acp.methods.client.session.update, { sessionId, update });
      },
      codewords: () => {
        const words = (store.read(sessionId)?.updates ?? []).flatMap((one) => textIn(one).match(/CODEWORD-\w+/g) ?? []);
        return [...new Set(words)];
      },
      settings: () => session.settings.words(),
      newId: (kind: string) => `${kind}-${randomUUID()}`,
    };
    for (const step of readScript(said)) {
      if (cancelled.aborted) return;
      await runStep(step, context);
    }
  }
}

function report(error: unknown): void {
  console.error("scripted agent:", error);
}
