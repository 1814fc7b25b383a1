import { expect, it } from "vitest";
import { readReport } from "./report.ts";

const EXE = "exe_aaaa0001";

it.each([
  [`start ${EXE} 12\n`, { type: "start", execution_id: EXE, pid: 12 }],
  [`exit ${EXE} 0 -\n`, { type: "exit", execution_id: EXE, status: 0, hung_up: false }],
  [`exit ${EXE} 129 hup\n`, { type: "exit", execution_id: EXE, status: 129, hung_up: true }],
  ['hook claude-code 7\n{"a":1}', { type: "hook", agent_kind: "claude-code", chain: [7], payload: { a: 1 } }],
  ["hook custom:x 7 6 1\nnull", { type: "hook", agent_kind: "custom:x", chain: [7, 6, 1], payload: null }],
])("reads %j", (text, want) => {
  expect(readReport(text)).toEqual(want);
});

it.each([
  "",
  `start ${EXE} 12`,
  `start ${EXE} x\n`,
  "start exe_ 12\n",
  `exit ${EXE} 0\n`,
  `exit ${EXE} -1 -\n`,
  "hook claude-code\n{}",
  "hook claude code 7\n{}",
  'hook claude-code 7\n{"a":',
  "hook claude-code 7\n",
  "shutdown\n",
])("S6: %j is no report", (text) => {
  expect(readReport(text)).toBeNull();
});
