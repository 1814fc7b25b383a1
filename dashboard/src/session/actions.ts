import type { BannerAction, SessionStatus } from "@reprise/protocol";
import { api, sentence } from "../data/api.ts";
import { toast } from "../ui/toast.ts";

/** What a banner's button comes to: a call, a place to go, or a question first. */
export type BannerStep =
  | { readonly kind: "call"; readonly run: () => Promise<unknown> }
  | { readonly kind: "go"; readonly to: string }
  | { readonly kind: "ask"; readonly what: "declare_lost" | "choose_profile" };

/** The one meaning of each button that banners offer. */
export function bannerStep(action: BannerAction, status: SessionStatus): BannerStep {
  const id = status.session_id;
  const call = (run: () => Promise<unknown>): BannerStep => ({ kind: "call", run });
  const recovery = (what: Parameters<typeof api.sessions.recovery>[1]) => call(() => api.sessions.recovery(id, what));
  switch (action) {
    case "resume":
    case "resume_without_retry":
      return call(() => api.sessions.resume(id, { mode: "resume" }));
    case "retry":
      // While the agent lives, a retry is a prompt; else it is a resume that sends one.
      return status.is_agent_running ? recovery("continue") : call(() => api.sessions.resume(id, { mode: "retry" }));
    case "dismiss":
      return recovery(status.is_agent_running ? "release" : "dismiss");
    case "create_new":
      return { kind: "go", to: `/new?from=${id}` };
    case "create_elsewhere":
      return { kind: "go", to: `/new?from=${id}&elsewhere=1` };
    case "choose_profile":
      return { kind: "ask", what: "choose_profile" };
    case "try_now":
      return recovery("try_now");
    case "cancel_attempts":
      return recovery("cancel");
    case "check_again":
      return recovery("check_again");
    case "continue":
      return recovery("continue");
    case "leave_it":
      return recovery("release");
    case "undo_stop":
      return call(() => api.sessions.undoStop(id));
    case "start_again":
      return recovery("start_again");
    case "ok":
      return recovery("verified");
    case "declare_lost":
      return { kind: "ask", what: "declare_lost" };
  }
}

/** Runs a call for a button: what fails is said, and the button is free again. */
export async function attempt(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    toast(sentence(error), { tone: "red" });
    return false;
  }
}
