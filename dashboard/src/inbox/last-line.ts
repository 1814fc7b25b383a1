import { display, type SessionStatus } from "@reprise/protocol";

/** What a row says below its title: what is asked, why it failed, or what was said last. */
export function lastLine(status: SessionStatus): string {
  if (status.attention !== null) return status.attention;
  if (display(status).kind === "failed" && status.error_message !== null) return status.error_message;
  if (status.last_line !== null) return status.last_line;
  if (!status.prompted) return "Not begun yet.";
  // What is said in a terminal stays there.
  return status.driver === "terminal" ? "In its own terminal." : "Nothing was said yet.";
}
