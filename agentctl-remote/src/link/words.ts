import type { LinkTrouble } from "./core.ts";
import type { Transport } from "./transport.ts";

/** What each trouble means to a person, and what helps (T4). */
export const TROUBLE_WORDS: Record<LinkTrouble, string> = {
  starting: "Connecting.",
  lost: "The connection was lost; reconnecting.",
  unreachable: "The control plane can't be reached; trying again.",
  refused: "Something on the way to the control plane refuses WebSockets, or it has a fault; trying again.",
  mute: "The connection opened, but nothing came through; trying again.",
  silent: "The control plane went silent; reconnecting.",
  woke: "This machine slept; reconnecting.",
  bad_frame:
    "The control plane didn't understand us; reconnecting. If this stays, upgrade agentctl or the control plane.",
  credential_expired:
    "This machine's credential isn't valid any more. Make a join token under Machines and run `agentctl join URL TOKEN --replace NODE`.",
  forbidden:
    "The control plane refuses this machine. See Machines in the dashboard: it may have been removed, or its identity copied.",
  not_found: "The control plane doesn't know this address. Check the URL that this machine joined.",
  stale: "The control plane asked for a new connection; reconnecting.",
  replaced: "Another daemon with this machine's identity took over; asking again every minute. Run only one.",
  too_old: "This agentctl is too old for the control plane: upgrade it, then start it again.",
};

/** @param refusal the control plane's own words: they say more than ours */
export function downMessage(trouble: LinkTrouble, detail: string | null, refusal: string | null): string {
  if (refusal !== null) return refusal;
  return detail === null ? TROUBLE_WORDS[trouble] : `${TROUBLE_WORDS[trouble]} (${detail})`;
}

/** @param socketTrouble why WebSockets don't work here */
export function upMessage(transport: Transport, socketTrouble: string | null): string {
  if (transport === "websocket") return "Connected.";
  const why = socketTrouble === null ? "" : ` ${socketTrouble}`;
  return `Connected over HTTP: this network breaks WebSockets.${why} Terminals need one; all else works.`;
}
