import { describe, expect, it } from "vitest";
import { arrowProblems } from "./arrows.ts";

const packages = {
  "@reprise/protocol": "protocol",
  "@reprise/worker": "worker",
  "@reprise/sdk": "sdk",
  "@reprise/dashboard": "dashboard",
  "@reprise/agentctl": "agentctl-remote",
};

function problems(path: string, text: string): string[] {
  return arrowProblems([{ path, text }], packages);
}

describe("arrows point down only (design §2)", () => {
  it.each([
    ["protocol/src/a.ts", 'import { x } from "@reprise/worker";'],
    ["protocol/src/a.ts", 'import type { X } from "@reprise/sdk";'],
    ["worker/src/a.ts", 'import type { X } from "@reprise/dashboard";'],
    ["worker/src/a.ts", 'import { x } from "@reprise/agentctl/src/host.ts";'],
    ["worker/src/http/a.ts", 'import { x } from "../../../agentctl-remote/src/host.ts";'],
    ["worker/src/a.test.ts", 'import { x } from "@reprise/sdk";'],
    ["agentctl-remote/src/a.ts", 'export { x } from "@reprise/worker";'],
    ["agentctl-remote/src/a.ts", 'export * from "@reprise/dashboard";'],
    ["agentctl-remote/src/host/a.ts", 'import { client } from "@reprise/sdk";'],
    ["dashboard/src/a.tsx", 'const lazy = import("@reprise/worker"); export const a = <b>{lazy}</b>;'],
    ["dashboard/src/a.ts", 'type X = import("@reprise/worker").X;'],
    ["sdk/src/a.ts", 'import { app } from "@reprise/worker";'],
    ["sdk/src/a.ts", 'import { type App, app } from "@reprise/worker";'],
    ["sdk/src/a.ts", 'import "@reprise/worker";'],
  ])("refuses %s: %s", (path, text) => {
    expect(problems(path, text)).toHaveLength(1);
  });

  it.each([
    ["worker/src/a.ts", 'import { x } from "@reprise/protocol";'],
    ["dashboard/src/a.ts", 'import { x } from "@reprise/sdk"; import y from "react";'],
    ["agentctl-remote/src/command/list.ts", 'import { x } from "@reprise/sdk";'],
    ["agentctl-remote/src/a.ts", 'import fs from "node:fs"; import { x } from "./host/b.ts";'],
    ["sdk/src/a.ts", 'import type { App } from "@reprise/worker/routes";'],
    ["sdk/src/a.ts", 'import { type App } from "@reprise/worker";'],
    ["worker/src/a.ts", '// import { x } from "@reprise/dashboard";'],
  ])("lets %s pass: %s", (path, text) => {
    expect(problems(path, text)).toEqual([]);
  });

  it("names the file, the line and the rule", () => {
    expect(problems("sdk/src/a.ts", '\n\nimport { app } from "@reprise/worker";')).toEqual([
      "sdk/src/a.ts:3 imports @reprise/worker: sdk may import the types of worker only (`import type`).",
    ]);
  });

  it("asks for a rule where a workspace has none", () => {
    const found = arrowProblems([{ path: "new/src/a.ts", text: 'import "@reprise/sdk";' }], {
      ...packages,
      "@reprise/new": "new",
    });
    expect(found[0]).toContain("say in scripts/check/rules.ts what new may import");
  });
});

describe("pure code takes its clock, ids and I/O as arguments", () => {
  it.each([
    ["protocol/src/a.ts", "export const now = () => Date.now();"],
    ["protocol/src/a.ts", "export const clock = Date.now;"],
    ["protocol/src/a.ts", "export const now = () => new Date();"],
    ["protocol/src/a.ts", "export const now = () => Date();"],
    ["protocol/src/a.ts", "export const r = () => Math.random();"],
    ["protocol/src/a.ts", 'export const r = () => Math["random"]();'],
    ["protocol/src/a.ts", "export const id = () => crypto.randomUUID();"],
    ["protocol/src/a.ts", "export const id = () => globalThis.crypto;"],
    ["protocol/src/a.ts", 'export const get = () => fetch("x");'],
    ["protocol/src/a.ts", 'import { readFileSync } from "node:fs";'],
    ["protocol/src/a.ts", 'import { env } from "cloudflare:workers";'],
    ["worker/src/session/core.ts", "export const now = () => Date.now();"],
    ["worker/src/session/core/step.ts", "export const now = () => Date.now();"],
  ])("refuses %s: %s", (path, text) => {
    expect(problems(path, text)).toHaveLength(1);
  });

  it.each([
    ["protocol/src/a.ts", "export const at = (ms: number) => new Date(ms).toISOString();"],
    ["protocol/src/a.ts", "export type Clock = { now(): number }; export const f = (c: Clock) => c.now();"],
    ["protocol/src/a.ts", "// Date.now() would be wrong here\nexport const s = 'Date.now()';"],
    ["protocol/src/a.test.ts", "import { readFileSync } from 'node:fs'; export const t = Date.now();"],
    ["worker/src/session/object.ts", "export const now = () => Date.now();"],
  ])("lets %s pass: %s", (path, text) => {
    expect(problems(path, text)).toEqual([]);
  });
});
