import type { BannerAction, SessionStatus } from "@reprise/protocol";
import { useCallback, useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../data/api.ts";
import { useSessions } from "../data/queries.ts";
import { useNow } from "../lib/clock.ts";
import { clockTime, span } from "../lib/time.ts";
import { useBusy } from "../lib/useBusy.ts";
import { bannerStep } from "./actions.ts";
import { type Resumption, resumptionOf } from "./resumption.ts";

export type Question = "declare_lost" | "choose_profile";

export interface SessionResumption extends Resumption {
  readonly status: SessionStatus;
  /** The button whose work runs. */
  readonly busy: BannerAction | null;
  /** What is asked before it is done. */
  readonly question: Question | null;
  readonly press: (action: BannerAction) => void;
  readonly dismissQuestion: () => void;
  readonly confirmLost: () => void;
  readonly resume: () => void;
  readonly retry: () => void;
  readonly createNew: () => void;
  /** Look at its machine and folder again: what helps where the workspace is in error. */
  readonly checkAgain: () => void;
}

/**
 * A session's resumption, for its page: how it stands, what it says, what helps. It asks and sends nothing by itself: each
 * call is one click of a person.
 * @param known a newer status than the lists have @returns null while nothing is known of the session
 */
export function useSessionResumption(sessionId: string, known?: SessionStatus): SessionResumption | null {
  const listed = useSessions().data?.find((each) => each.session_id === sessionId);
  const status = known ?? listed ?? null;
  const now = useNow();
  const navigate = useNavigate();
  const { busy, run } = useBusy<BannerAction>();
  const [question, setQuestion] = useState<Question | null>(null);

  const press = useCallback(
    (action: BannerAction) => {
      if (status === null) return;
      const step = bannerStep(action, status);
      switch (step.kind) {
        case "call":
          void run(action, step.run);
          return;
        case "go":
          void navigate(step.to);
          return;
        case "ask":
          setQuestion(step.what);
      }
    },
    [status, run, navigate],
  );
  if (status === null) return null;
  return {
    ...resumptionOf(status, { now, span, moment: (at) => clockTime(at, now) }),
    status,
    busy,
    question,
    press,
    dismissQuestion: () => setQuestion(null),
    confirmLost: () =>
      void run("declare_lost", () => api.sessions.recovery(sessionId, "declare_lost")).then(() => setQuestion(null)),
    resume: () => press("resume"),
    retry: () => press("retry"),
    createNew: () => press("create_new"),
    checkAgain: () => press("check_again"),
  };
}
