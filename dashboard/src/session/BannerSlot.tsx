import type { Banner as BannerData, SessionStatus } from "@reprise/protocol";
import { CircleAlert, CloudOff, Info, RotateCcw } from "lucide-react";
import { useNow } from "../lib/clock.ts";
import { clockTime, span } from "../lib/time.ts";
import { Banner, type BannerTone } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { Confirm } from "../ui/Confirm.tsx";
import { ChooseProfile } from "./ChooseProfile.tsx";
import { useSessionResumption } from "./useSessionResumption.ts";

const TONES: Readonly<Record<string, BannerTone>> = {
  interrupted: "orange",
  turn_interrupted: "orange",
  timed_out: "red",
  failed: "red",
  turn_failed: "red",
  resume_failed: "red",
  conversation_gone: "amber",
  unverified: "amber",
};

function toneOf(shown: BannerData, status: SessionStatus): BannerTone {
  if (shown.look === "quiet") return "quiet";
  return TONES[lookOf(shown, status)] ?? "neutral";
}

/** An agent that could not start looks as one that failed, though nothing was said to it. */
function lookOf(shown: BannerData, status: SessionStatus): string {
  return shown.reason === "never_prompted" && status.end_reason === "failed" ? "failed" : shown.reason;
}

function BannerIcon({ reason }: { readonly reason: string }) {
  if (reason.startsWith("node_") || reason === "stop_requested") return <CloudOff size={16} className="text-text-3" />;
  if (reason === "interrupted" || reason === "turn_interrupted") return <RotateCcw size={16} className="text-orange" />;
  if (TONES[reason] === "red") return <CircleAlert size={16} className="text-red" />;
  return <Info size={16} className="text-text-3" />;
}

/**
 * The one banner of a session: ui.md's words, and the buttons that help.
 * @param flush it fills the bar that it stands in @param aside what a quiet line says besides
 */
export function BannerSlot({
  status,
  flush = false,
  aside,
}: {
  readonly status: SessionStatus;
  readonly flush?: boolean;
  readonly aside?: string | undefined;
}) {
  const now = useNow();
  const offered = useSessionResumption(status.session_id, status);
  const shown = offered?.banner ?? null;
  if (offered === null || shown === null) return null;
  const { busy, press, question } = offered;
  return (
    <div data-testid="banner" data-reason={shown.reason}>
      <Banner
        flush={flush}
        tone={toneOf(shown, status)}
        label="How this session stands"
        icon={shown.look === "quiet" ? undefined : <BannerIcon reason={lookOf(shown, status)} />}
        actions={shown.buttons.map((button, index) => (
          <Button
            key={button.action}
            size="sm"
            variant={
              index === 0 && shown.look === "banner" ? "primary" : shown.look === "quiet" ? "secondary" : "ghost"
            }
            busy={busy === button.action}
            disabled={button.disabled === true || (busy !== null && busy !== button.action)}
            onClick={() => press(button.action)}
          >
            {button.label}
          </Button>
        ))}
      >
        {shown.text}
        {shown.look === "quiet" && aside !== undefined ? ` ${aside}` : null}
        {shown.retry_at === null ? null : (
          <span className="tabular">
            {" "}
            {shown.retry_at <= now ? "Trying now" : `Next try in ${span(shown.retry_at - now + 999)}`}
            {tries(status)}.
          </span>
        )}
      </Banner>
      {question === "choose_profile" ? <ChooseProfile status={status} onClose={offered.dismissQuestion} /> : null}
      <Confirm
        open={question === "declare_lost"}
        title={`Declare ${status.node.name} lost?`}
        lost={`This session's agent is taken for ended, though nobody could ask the machine. What it did since ${clockTime(status.as_of, now)} is not here, and stays away if ${status.node.name} never returns.`}
        action="Declare it lost"
        busy={busy === "declare_lost"}
        onClose={offered.dismissQuestion}
        onConfirm={offered.confirmLost}
      />
    </div>
  );
}

function tries(status: SessionStatus): string {
  return status.attempt > 0 ? ` (${status.attempt} of ${status.max_attempts})` : "";
}
