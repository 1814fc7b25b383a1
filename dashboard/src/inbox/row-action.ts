import { type BannerAction, banner, display, type SessionStatus } from "@reprise/protocol";

/** The one thing that fits a row: an approval, the banner's first button, or opening it: what is asked in a terminal is answered there. */
export type RowAction =
  | { readonly type: "approve"; readonly label: string }
  | { readonly type: "banner"; readonly label: string; readonly action: BannerAction }
  | { readonly type: "open"; readonly label: string };

/** Actions that one click can mean; the others need their sentence beside them, on the session's page. */
const AT_ONCE: ReadonlySet<BannerAction> = new Set([
  "resume",
  "retry",
  "continue",
  "try_now",
  "start_again",
  "undo_stop",
  "create_new",
]);

/** @returns what a row of the inbox offers */
export function rowAction(status: SessionStatus): RowAction {
  if (display(status).kind === "needs_you")
    return status.pending_approvals > 0 ? { type: "approve", label: "Review" } : { type: "open", label: "Open" };
  const first = banner(status, { now: 0, span: () => "", moment: () => "" })?.buttons[0];
  if (first === undefined || first.disabled === true || !AT_ONCE.has(first.action))
    return { type: "open", label: "Open" };
  const label = first.action === "create_new" ? "New session" : first.label;
  return { type: "banner", label, action: first.action };
}
