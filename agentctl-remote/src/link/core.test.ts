import { CLOSE } from "@reprise/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IDLE, type LinkEffect, type LinkEvent, type LinkLimits, type LinkState, linkStep } from "./core.ts";

const limits: LinkLimits = {
  connectMs: 10_000,
  proveMs: 7_000,
  helloMs: 15_000,
  pingMs: 30_000,
  silenceMs: 75_000,
  healthyMs: 10_000,
  slowMs: 60_000,
  yieldMs: 60_000,
};

/** Drives the machine and keeps what a shell would keep: the armed timer and the open socket. */
class Driver {
  state: LinkState = IDLE;
  now = 1_000;
  armed: number | null = null;
  open: number | null = null;
  onTrial = false;
  log: LinkEffect[] = [];
  step(event: LinkEvent, random = 0.5): LinkEffect[] {
    const { state, effects } = linkStep(this.state, event, { now: this.now, random, limits, onTrial: this.onTrial });
    this.state = state;
    for (const effect of effects) {
      if (effect.type === "arm") this.armed = effect.at;
      if (effect.type === "disarm") this.armed = null;
      if (effect.type === "connect") {
        expect(this.open, "a second socket beside an open one").toBeNull();
        this.open = effect.conn;
      }
      if (effect.type === "drop") this.open = null;
    }
    this.log.push(...effects);
    return effects;
  }
  /** Lets the armed timer fire. */
  fire(): LinkEffect[] {
    if (this.armed === null) throw new Error("no timer is armed");
    this.now = Math.max(this.now, this.armed);
    return this.step({ type: "timer" });
  }
  get conn(): number {
    return "conn" in this.state ? this.state.conn : 0;
  }
  up(): void {
    while (this.state.phase !== "connecting") this.state.phase === "idle" ? this.step({ type: "start" }) : this.fire();
    this.step({ type: "opened", conn: this.conn });
    if (this.onTrial) {
      this.step({ type: "heard", conn: this.conn });
      this.fire();
    }
    this.step({ type: "welcomed", conn: this.conn });
    expect(this.state.phase).toBe("up");
  }
}

function downs(driver: Driver) {
  return driver.log.filter((effect) => effect.type === "down");
}

const anyEvent = (conn: number): fc.Arbitrary<LinkEvent> => {
  const c = fc.constantFrom(conn, conn, conn, conn - 1);
  return fc.oneof(
    fc.constant<LinkEvent>({ type: "timer" }),
    fc.constant<LinkEvent>({ type: "woke" }),
    fc.constant<LinkEvent>({ type: "nudge" }),
    fc.constant<LinkEvent>({ type: "knock" }),
    c.map((n): LinkEvent => ({ type: "opened", conn: n })),
    c.map((n): LinkEvent => ({ type: "welcomed", conn: n })),
    c.map((n): LinkEvent => ({ type: "heard", conn: n })),
    c.map((n): LinkEvent => ({ type: "failed", conn: n })),
    fc
      .tuple(
        c,
        fc.constantFrom(1000, 1006, CLOSE.stale, CLOSE.replaced, CLOSE.forbidden, CLOSE.credential_expired, 4400),
      )
      .map(([n, code]): LinkEvent => ({ type: "closed", conn: n, code })),
    fc
      .tuple(c, fc.constantFrom(401, 403, 404, 426, 500, 503, 200))
      .map(([n, status]): LinkEvent => ({ type: "refused", conn: n, status })),
  );
};

describe("the link's core", () => {
  it("N4: at every moment some timer leads back to a healthy socket", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(40_000), fc.double({ min: 0, max: 0.999, noNaN: true })), { maxLength: 60 }),
        fc.gen(),
        fc.boolean(),
        (steps, gen, onTrial) => {
          const driver = new Driver();
          driver.onTrial = onTrial;
          driver.step({ type: "start" });
          for (const [wait, random] of steps) {
            driver.now += wait;
            driver.step(gen(anyEvent, driver.conn), random);
            expect(driver.armed).not.toBeNull();
            expect((driver.armed ?? Infinity) - driver.now).toBeLessThanOrEqual(limits.silenceMs);
          }
          // From wherever that led: with a control plane that works, a bounded time later the link is up.
          const before = driver.now;
          if (driver.state.phase === "up") driver.step({ type: "closed", conn: driver.conn, code: 1006 });
          driver.up();
          expect(driver.now - before).toBeLessThanOrEqual(limits.slowMs + limits.helloMs + 2 * limits.proveMs + 30_000);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("N4: the first wait is 0 to 3 s, then full jitter to 5 s, 30 s after five minutes", () => {
    const driver = new Driver();
    driver.up();
    driver.now += 20_000;
    driver.step({ type: "closed", conn: driver.conn, code: 1006 }, 0.999);
    expect((driver.armed ?? 0) - driver.now).toBeLessThan(3_000);
    for (let i = 0; i < 12; i++) {
      driver.fire();
      driver.step({ type: "failed", conn: driver.conn }, 0.999);
      expect((driver.armed ?? 0) - driver.now).toBeLessThan(5_000);
    }
    driver.now += 301_000;
    driver.step({ type: "timer" });
    driver.step({ type: "failed", conn: driver.conn }, 0.999);
    const wait = (driver.armed ?? 0) - driver.now;
    expect(wait).toBeGreaterThan(5_000);
    expect(wait).toBeLessThan(30_000);
  });

  it("N4: a link that was lost within 10 s does not reset the schedule", () => {
    const driver = new Driver();
    driver.up();
    for (let i = 0; i < 5; i++) {
      driver.now += 9_000;
      driver.step({ type: "closed", conn: driver.conn, code: 1006 });
      driver.up();
    }
    expect(driver.state).toMatchObject({ attempt: 5 });
    driver.now += 10_000;
    driver.step({ type: "closed", conn: driver.conn, code: 1006 });
    expect(driver.state).toMatchObject({ attempt: 1 });
  });

  it("N4, C29: a connect that hangs and a hello without answer are given up by their own limits", () => {
    const driver = new Driver();
    driver.step({ type: "start" });
    expect(driver.armed).toBe(driver.now + limits.connectMs);
    expect(driver.fire()).toContainEqual({ type: "drop", conn: 1 });
    driver.fire();
    driver.step({ type: "opened", conn: 2 });
    expect(driver.armed).toBe(driver.now + limits.helloMs);
    expect(driver.fire()).toContainEqual({ type: "drop", conn: 2 });
    expect(downs(driver)).toMatchObject([{ trouble: "unreachable" }, { trouble: "mute" }]);
  });

  it("N2: ping right after hello and every 30 s; 75 s of silence give the socket up", () => {
    const driver = new Driver();
    driver.up();
    expect(driver.log.map((effect) => effect.type)).toEqual(["connect", "arm", "hello", "ping", "arm", "up", "arm"]);
    const since = driver.now;
    expect(driver.fire().map((effect) => effect.type)).toEqual(["ping", "arm"]);
    expect(driver.now - since).toBe(30_000);
    driver.step({ type: "heard", conn: driver.conn });
    driver.fire();
    driver.fire();
    driver.fire();
    expect(driver.state.phase).toBe("waiting");
    expect(driver.now - since).toBe(105_000);
    expect(downs(driver)).toMatchObject([{ trouble: "silent" }]);
  });

  it("N3: on trial, a socket says hello only after it has answered and then held", () => {
    const driver = new Driver();
    driver.onTrial = true;
    driver.step({ type: "start" });
    expect(driver.step({ type: "opened", conn: 1 }).map((effect) => effect.type)).toEqual(["ping", "arm"]);
    driver.now += 1_000;
    driver.step({ type: "heard", conn: 1 });
    expect(driver.armed).toBe(driver.now + limits.proveMs);
    // What it says meanwhile makes it no older.
    driver.step({ type: "heard", conn: 1 });
    expect(driver.fire().map((effect) => effect.type)).toEqual(["hello", "ping", "arm"]);
  });

  it.each([
    ["opens and swallows all", []],
    ["answers once and is cut", ["heard", "cut"]],
  ] as const)("N3: on trial, a socket that %s never says hello", (_what, says) => {
    const driver = new Driver();
    driver.onTrial = true;
    driver.step({ type: "start" });
    for (let i = 0; i < 20; i++) {
      while (driver.state.phase !== "connecting") driver.fire();
      driver.step({ type: "opened", conn: driver.conn });
      for (const what of says)
        driver.step(
          what === "heard" ? { type: "heard", conn: driver.conn } : { type: "closed", conn: driver.conn, code: 1006 },
        );
      if (says.length === 0) driver.fire();
      expect(driver.state.phase).toBe("waiting");
    }
    expect(driver.log.map((effect) => effect.type)).not.toContain("hello");
  });

  it("N3, N5: a status of 426 comes from something on the way, and ends nothing", () => {
    const driver = new Driver();
    driver.step({ type: "start" });
    driver.step({ type: "refused", conn: 1, status: 426 });
    expect(driver.state.phase).toBe("waiting");
    expect(downs(driver)).toMatchObject([{ trouble: "refused" }]);
  });

  it("N7: a knock cuts every wait short, also after a refusal; a link that seems up is made anew, a fresh one is left", () => {
    const driver = new Driver();
    driver.step({ type: "start" });
    driver.step({ type: "refused", conn: 1, status: 403 });
    expect(driver.step({ type: "knock" }).map((effect) => effect.type)).toEqual(["connect", "arm"]);
    driver.up();
    expect(driver.step({ type: "knock" })).toEqual([]);
    driver.now += limits.healthyMs;
    expect(driver.step({ type: "knock" }).map((effect) => effect.type)).toEqual(["drop", "down", "connect", "arm"]);
  });

  it("N4: waking from sleep reconnects at once", () => {
    const driver = new Driver();
    driver.up();
    expect(driver.step({ type: "woke" }).map((effect) => effect.type)).toEqual(["drop", "down", "connect", "arm"]);
  });

  it.each([
    ["credential_expired", CLOSE.credential_expired, limits.slowMs],
    ["forbidden", CLOSE.forbidden, limits.slowMs],
    ["replaced", CLOSE.replaced, limits.yieldMs],
    ["stale", CLOSE.stale, 0],
  ] as const)("N5: close code of %s waits as it should", (trouble, code, wait) => {
    const driver = new Driver();
    driver.up();
    driver.now += 20_000;
    driver.step({ type: "closed", conn: driver.conn, code });
    expect(downs(driver)).toMatchObject([{ trouble }]);
    expect((driver.armed ?? 0) - driver.now).toBe(wait);
  });

  it("N5: 4408 again and again does not become a spin", () => {
    const driver = new Driver();
    driver.up();
    driver.step({ type: "closed", conn: driver.conn, code: CLOSE.stale });
    driver.up();
    driver.step({ type: "closed", conn: driver.conn, code: CLOSE.stale });
    expect((driver.armed ?? 0) - driver.now).toBeGreaterThan(0);
  });

  it("N5, N6: a replaced daemon yields, says after_yield when it asks again, and until it is welcomed", () => {
    const driver = new Driver();
    driver.up();
    driver.step({ type: "closed", conn: driver.conn, code: CLOSE.replaced });
    expect(driver.step({ type: "woke" })).toEqual([]);
    driver.fire();
    expect(driver.step({ type: "opened", conn: driver.conn })).toContainEqual({
      type: "hello",
      conn: driver.conn,
      afterYield: true,
    });
    driver.step({ type: "closed", conn: driver.conn, code: CLOSE.replaced });
    expect((driver.armed ?? 0) - driver.now).toBe(limits.yieldMs);
    driver.fire();
    driver.step({ type: "opened", conn: driver.conn });
    driver.step({ type: "welcomed", conn: driver.conn });
    driver.step({ type: "closed", conn: driver.conn, code: 1006 });
    driver.fire();
    expect(driver.step({ type: "opened", conn: driver.conn })).toContainEqual({
      type: "hello",
      conn: driver.conn,
      afterYield: false,
    });
  });

  it("N5: 4409 counts only on the current socket", () => {
    const driver = new Driver();
    driver.up();
    driver.step({ type: "closed", conn: driver.conn, code: 1006 });
    driver.up();
    driver.step({ type: "closed", conn: driver.conn - 1, code: CLOSE.replaced });
    expect(driver.state.phase).toBe("up");
  });

  it("N5: 4426 stops for good", () => {
    const driver = new Driver();
    driver.up();
    driver.step({ type: "closed", conn: driver.conn, code: CLOSE.protocol_too_old });
    expect(driver.state).toEqual({ phase: "ended", why: "too_old" });
    expect(driver.armed).toBeNull();
  });

  it("a nudge cuts a paced wait short, but not a refusal", () => {
    const driver = new Driver();
    driver.up();
    driver.step({ type: "closed", conn: driver.conn, code: 1006 });
    expect(driver.step({ type: "nudge" }).map((effect) => effect.type)).toEqual(["connect", "arm"]);
    driver.step({ type: "refused", conn: driver.conn, status: 404 });
    expect(driver.step({ type: "nudge" })).toEqual([]);
  });
});
