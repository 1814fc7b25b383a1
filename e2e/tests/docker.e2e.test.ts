import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  dockerAgent,
  hasDocker,
  realAgent,
  System,
  startModel,
  TestDocker,
  until,
  wantsRealAgents,
} from "../src/index.ts";

describe.skipIf(!hasDocker())("sessions in Docker", () => {
  let docker: TestDocker;
  let system: System;
  let page: Page;
  beforeAll(async () => {
    docker = await TestDocker.start();
    system = await System.start({ docker, nodeEnv: { REPRISE_LIMITS: JSON.stringify({ HOST_DEATH_MS: 300 }) } });
    page = await system.person();
  }, 240_000);
  afterAll(async () => {
    await system?.end();
    await docker?.end();
  }, 120_000);

  const banner = () => page.getByTestId("banner");
  const press = (name: string) => banner().getByRole("button", { name, exact: true }).click();

  /** A session whose agent works, with the page open on it. */
  async function working(name: string, prompt = `remember CODEWORD-${name.toUpperCase()}; stream 600 every 100`) {
    const { profile, starts } = await dockerAgent(system, name);
    const { session_id: id } = await system.client.sessions.create({
      node_id: system.node.nodeId,
      agent_profile_id: profile.id,
      runtime: "docker",
      cwd: system.folder(`w-${name}`),
      prompt,
    });
    await until(async () => (await system.status(id)).state === "RUNNING" && (await system.said(id)).includes("w3"), {
      ms: 60_000,
      what: `${id} to work`,
    });
    await until(() => system.database.executor(id).resume_token !== null, { what: "the token to be stored" });
    await system.open(page, id);
    return { id, profile, starts };
  }

  async function remembers(id: string, codeword: string): Promise<void> {
    await system.client.sessions.prompt(id, `recall-${randomUUID()}`, [{ type: "text", text: "recall" }]);
    await system.client.sessions.recovery(id, "release");
    await until(async () => (await system.said(id)).endsWith(codeword), {
      ms: 60_000,
      what: `${codeword} in its answer`,
    });
  }

  it("X2, R1: a person starts one from the page; its agent is killed, Resume brings its conversation back", async () => {
    const { profile, starts } = await dockerAgent(system, "page");
    await page.goto(`${system.controlPlane.origin}/machines`);
    const offered = page.getByRole("list", { name: /What sessions run in/ });
    await offered.getByText("Docker").waitFor();
    await page.goto(`${system.controlPlane.origin}/new`);
    await page.getByLabel("Prompt").fill("remember CODEWORD-PAGE");
    await page.getByLabel("Folder", { exact: true }).fill(system.folder("w-page"));
    await page.getByLabel("Runs in").selectOption({ label: "Docker" });
    await page.getByRole("radio", { name: profile.name, exact: true }).click();
    await page.getByRole("button", { name: "Start session" }).click();
    await page.waitForURL(/\/sessions\/ses_/);
    const id = page.url().split("/").at(-1) ?? "";
    const status = await system.untilYourTurn(id);
    expect(status).toMatchObject({ executor_type: "local_docker", runtime: "docker", executor_status: "ready" });
    const container = await docker.containers.of(id);
    expect(system.database.executor(id)).toMatchObject({
      runtime: "docker",
      executor_type: "local_docker",
      container_id: container.id,
      pid: null,
    });
    await docker.containers.killAgent(id);
    await page.getByText("Scripted was interrupted").waitFor();
    expect(await system.status(id)).toMatchObject({ end_reason: "interrupted", needs_resume: true });
    await press("Resume");
    await system.untilStatus(id, "resumed", (s) => s.state === "WAITING_FOR_INPUT");
    await remembers(id, "CODEWORD-PAGE");
    expect(starts()).toHaveLength(2);
    expect((await docker.containers.of(id)).id).toBe(container.id);
  });

  it("X2, T3, T4: the engine is away: last known, the next try said; Cancel, Retry and Try now do so", async () => {
    const { id, starts } = await working("engine");
    await docker.stopEngine();
    const away = await system.untilStatus(id, "the engine's absence", (s) => s.resume_reason === "runtime_unavailable");
    expect(away).toMatchObject({
      state: "RUNNING",
      end_reason: null,
      executor_status: "error",
      is_agent_running: false,
    });
    expect(away.retry_at).not.toBeNull();
    await system.untilDatabase(id, { state: "RUNNING", end_reason: null });
    await until(() => system.database.executor(id).error_code === "runtime_unavailable", { what: "D1 to say so" });
    await banner()
      .getByText(/^Docker does not answer on .+\. (Next try in|Trying now)/)
      .waitFor();
    await page.getByText("Last known: Working").first().waitFor();
    await press("Cancel");
    await system.untilStatus(id, "no next try", (s) => s.executor_status === "error" && s.retry_at === null);
    await press("Retry");
    await system.untilStatus(id, "a next try", (s) => s.retry_at !== null);
    await press("Try now");
    expect(await system.status(id)).toMatchObject({ state: "RUNNING", resume_reason: "runtime_unavailable" });
    await docker.startEngine();
    await press("Try now");
    const back = await system.untilStatus(id, "back", (s) => s.state === "WAITING_FOR_INPUT", 90_000);
    expect(back).toMatchObject({ turn: { outcome: "interrupted" }, executor_status: "ready", retry_at: null });
    await remembers(id, "CODEWORD-ENGINE");
    expect(starts()).toHaveLength(2);
  });

  it("X2, R4, R9: its container is removed: said so for good; Create new session runs in a container of its own", async () => {
    const { id, starts } = await working("removed");
    await docker.containers.remove(id);
    const status = await system.untilStatus(id, "its end", (s) => s.state === "ERROR" && s.executor_status === "error");
    expect(status).toMatchObject({ resume_reason: "container_missing", is_resumable: false, needs_resume: false });
    await system.untilDatabase(id, { state: "ERROR", end_reason: "interrupted" });
    await banner().getByText("The container of this session is gone, and its conversation with it.").waitFor();
    await expect(system.client.sessions.resume(id, { mode: "resume" })).rejects.toMatchObject({
      status: 409,
      details: { reason: "container_missing" },
    });
    await system.node.kill9();
    expect(await system.status(id)).toMatchObject({ is_resumable: false });
    await system.startNode();
    expect(await docker.containers.list(id)).toEqual([]);
    expect(starts()).toHaveLength(1);

    await press("Create new session");
    await page.waitForURL(/\/new\?/);
    expect(await page.getByLabel("Runs in").inputValue()).toBe("docker");
    await page.getByLabel("Prompt").fill("echo a fresh one");
    await page.getByRole("button", { name: "Start session" }).click();
    await page.waitForURL(/\/sessions\/ses_/);
    const next = page.url().split("/").at(-1) ?? "";
    const fresh = await system.untilYourTurn(next);
    expect(fresh).toMatchObject({ task_id: status.task_id, runtime: "docker", last_line: "a fresh one" });
    expect(await docker.containers.list(next)).toMatchObject([{ status: "running" }]);
  });

  it.skipIf(!wantsRealAgents()).each(["claude", "codex"] as const)(
    "R1: a real agent (%s) in a container: killed, resumed, it remembers",
    async (name) => {
      const model = await startModel();
      try {
        const place = { dir: system.shared, modelUrl: model.url };
        const { profile } = await realAgent(system, model, name, "interrupted", place);
        const codeword = `CODEWORD-${name.toUpperCase()}`;
        const { session_id: id } = await system.client.sessions.create({
          node_id: system.node.nodeId,
          agent_profile_id: profile.id,
          runtime: "docker",
          cwd: system.folder(`w-${name}`),
          prompt: `remember ${codeword}`,
        });
        await system.untilYourTurn(id);
        await docker.containers.killAgent(id);
        await system.untilStatus(id, "interrupted", (s) => s.needs_resume);
        await system.client.sessions.resume(id, { mode: "resume" });
        await system.untilStatus(id, "resumed", (s) => s.state === "WAITING_FOR_INPUT");
        await remembers(id, codeword);
        expect(await system.status(id)).toMatchObject({ runtime: "docker", unverified: false });
      } finally {
        await model.close();
      }
    },
  );

  it("T5, X6: a deleted session's container goes with it", async () => {
    const { id } = await working("deleted");
    await system.client.sessions.remove(id);
    await until(async () => (await docker.containers.list(id)).length === 0, {
      ms: 60_000,
      what: "the container to go",
    });
  });
});
