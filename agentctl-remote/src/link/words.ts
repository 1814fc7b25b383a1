import type { LinkTrouble } from "./core.ts";

/** What each trouble means to a person, and what helps (T4). */
export const TROUBLE_WORDS: Record<LinkTrouble, string> = {
  starting: "Connecting.",
  lost: "The connection was lost; reconnecting.",
  unreachable: "The control plane can't be reached; trying again.",
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
