import { randomBytes } from "node:crypto";
import { newId } from "@reprise/protocol";
import { type Left, type LeftOpen, whatIsLeft } from "./core/left.ts";
import { saidBy } from "./core/said-by.ts";
import { listReports } from "./reports.ts";

/** What wrapper and hooks of an agent left in that folder while no host took it. */
export function readLeft(open: LeftOpen, reports: string): Left {
  return whatIsLeft(open, listReports(reports), saidBy, () => newId("turn", (n) => randomBytes(n)));
}
