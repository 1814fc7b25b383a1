import * as acp from "@agentclientprotocol/sdk";
import type { AgentCapabilities, Failure } from "@reprise/protocol";
import { z } from "zod";
import type { BodyOf, Launch } from "../../host/core/types.ts";
import { AGENT_INIT_MS, AGENT_SESSION_MS, AGENT_SETTING_MS } from "../../limits.ts";
import { cut } from "./content.ts";
import { AgentSilent, classify, wordsOf } from "./failure.ts";
import type { Setter } from "./settings.ts";

/** The answer, or `AgentSilent` after a time. */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AgentSilent(`The agent did not answer ${what} within ${ms / 1_000} s.`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const Initialized = z.object({
  agentInfo: z.object({ name: z.string(), version: z.string().nullish() }).nullish().catch(null),
  agentCapabilities: z
    .object({
      loadSession: z.boolean().catch(false).optional(),
      promptCapabilities: z
        .object({ image: z.boolean().optional(), embeddedContext: z.boolean().optional() })
        .nullish()
        .catch(null),
      sessionCapabilities: z
        .object({ resume: z.unknown().optional(), list: z.unknown().optional(), close: z.unknown().optional() })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});

const offered = (capability: unknown) => capability !== undefined && capability !== null && capability !== false;

/** What an agent's `initialize` says that it can (R1). */
export function capabilitiesOf(answer: unknown): {
  name: string | null;
  version: string | null;
  capabilities: AgentCapabilities;
} {
  const { agentInfo, agentCapabilities: can } = Initialized.parse(answer);
  return {
    name: agentInfo?.name ?? null,
    version: agentInfo?.version ?? null,
    capabilities: {
      load_session: can?.loadSession === true,
      resume_session: offered(can?.sessionCapabilities?.resume),
      list_sessions: offered(can?.sessionCapabilities?.list),
      close_session: offered(can?.sessionCapabilities?.close),
      prompt_image: can?.promptCapabilities?.image === true,
      prompt_embedded_context: can?.promptCapabilities?.embeddedContext === true,
    },
  };
}

/** Say hello as a client that offers neither files nor terminals: agents use their own. */
export function initialize(agent: acp.ClientContext): Promise<acp.InitializeResponse> {
  return within(
    AGENT_INIT_MS,
    "initialize",
    agent.request(acp.methods.agent.initialize, {
      protocolVersion: acp.PROTOCOL_VERSION,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: "reprise", version: "0.1.0" },
    }),
  );
}

type Opened = { ok: true; token: string; ready: () => BodyOf<"agent.ready"> } | { ok: false; failure: Failure };

/** From the first byte to a conversation: a new one, or the one of the token (never a silent new one: R4). */
export async function openConversation(
  agent: acp.ClientContext,
  launch: Launch,
  ports: { onInitialized: (body: BodyOf<"agent.initialized">) => void; replayed: () => number },
): Promise<Opened> {
  let phase: "initialize" | "new" | "resume" = "initialize";
  try {
    const { capabilities, name, version } = capabilitiesOf(await initialize(agent));
    ports.onInitialized({ type: "agent.initialized", name, version, capabilities });
    const { cwd } = launch.workspace;
    if (launch.how.type === "new") {
      phase = "new";
      const asked = agent.request(acp.methods.agent.session.new, { cwd, mcpServers: [] });
      const { sessionId } = await within(AGENT_SESSION_MS, "session/new", asked);
      const ready = (): BodyOf<"agent.ready"> => ({
        type: "agent.ready",
        token: sessionId,
        how: "new",
        replayed: 0,
        verified: true,
      });
      return { ok: true, token: sessionId, ready };
    }
    phase = "resume";
    const { token, had_turns } = launch.how;
    const how = capabilities.resume_session ? "resume" : capabilities.load_session ? "load" : null;
    if (how === null)
      return {
        ok: false,
        failure: { code: "not_resumable", message: "This agent says that it can't restore conversations." },
      };
    const params = { sessionId: token, cwd, mcpServers: [] };
    const asked: Promise<unknown> =
      how === "resume"
        ? agent.request(acp.methods.agent.session.resume, params)
        : agent.request(acp.methods.agent.session.load, params);
    await within(AGENT_SESSION_MS, `session/${how}`, asked);
    const ready = (): BodyOf<"agent.ready"> => {
      const replayed = ports.replayed();
      // R4: a load must replay; one that shows nothing of a conversation that had turns proves nothing.
      return { type: "agent.ready", token, how, replayed, verified: how === "resume" || replayed > 0 || !had_turns };
    };
    return { ok: true, token, ready };
  } catch (error) {
    return { ok: false, failure: classify(phase, error) };
  }
}

/** Set a mode or model by whichever way the agent has. @returns what is wrong, in words, or null */
export async function applySetting(
  agent: acp.ClientContext,
  sessionId: string,
  setter: Setter | null,
  value: string,
): Promise<string | null> {
  if (!setter) return "It doesn't offer that choice.";
  const { session } = acp.methods.agent;
  try {
    const asked: Promise<unknown> =
      setter.how === "mode"
        ? agent.request(session.setMode, { sessionId, modeId: value })
        : setter.how === "model"
          ? agent.request("session/set_model", { sessionId, modelId: value })
          : agent.request(session.setConfigOption, { sessionId, configId: setter.config_id, value });
    await within(AGENT_SETTING_MS, "a setting", asked);
    return null;
  } catch (error) {
    return cut(`It said: ${wordsOf(error)}`, 1_000);
  }
}
