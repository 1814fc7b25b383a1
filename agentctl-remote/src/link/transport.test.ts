import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Network, type Weather } from "./testing-network.ts";
import { FRESH, type TransportEvent, type TransportState, transportStep } from "./transport.ts";

const down = (trouble: Extract<TransportEvent, { type: "socket_down" }>["trouble"], healthy = false) =>
  ({ type: "socket_down", trouble, healthy }) as const;

function run(events: readonly TransportEvent[], from: TransportState = FRESH) {
  let state = from;
  const effects = events.flatMap((event) => {
    const stepped = transportStep(state, event);
    state = stepped.state;
    return stepped.effects;
  });
  return { state, effects };
}

describe("which way the control link goes", () => {
  it.each([
    ["refuses the upgrade", [down("refused")]],
    ["opens sockets and swallows all", [down("silent"), down("mute")]],
    ["cuts sockets over and over", [down("lost"), down("lost"), down("lost")]],
  ])("N3: a network that %s leads to plain HTTP", (_what, events) => {
    expect(run(events)).toEqual({ state: { mode: "trial" }, effects: [{ type: "open_http" }] });
    expect(run([...events, { type: "http_up" }])).toEqual({
      state: { mode: "http" },
      effects: [{ type: "open_http" }, { type: "use", transport: "http" }],
    });
  });

  it("N3: a control plane that is away, or that refuses us itself, is no reason to leave WebSockets", () => {
    expect(run([down("unreachable"), down("unreachable"), down("unreachable"), { type: "http_down" }]).state).toEqual(
      FRESH,
    );
    const told = (["credential_expired", "replaced", "stale", "too_old", "woke"] as const).map((one) => down(one));
    expect(run([...told, ...told]).state).toEqual(FRESH);
  });

  it("N3: a healthy socket wipes the signs against it", () => {
    expect(run([down("lost"), down("lost"), down("lost", true)]).state).toEqual({ mode: "socket", signs: 1 });
  });

  it("N3: back to the socket as soon as it is up; one more cut, and it is HTTP again", () => {
    const back = run([{ type: "socket_up" }], { mode: "http" });
    expect(back.effects).toEqual([{ type: "close_http" }, { type: "use", transport: "websocket" }]);
    expect(run([down("lost")], back.state).state).toEqual({ mode: "trial" });
    expect(run([down("lost", true)], back.state).state).toEqual({ mode: "socket", signs: 1 });
  });
});

/** Mulberry32: the same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let a = seed | 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const weather: fc.Arbitrary<Weather> = fc.record({
  socket: fc.constantFrom("works", "refused", "cut", "swallows", "away"),
  http: fc.constantFrom("works", "away", "refused"),
});

describe("both links together, in any weather", () => {
  it("N3, N4: at every moment a timer leads back: once the weather holds, the best way that works is taken", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(weather, fc.integer({ min: 1_000, max: 400_000 })), { maxLength: 6 }),
        weather,
        fc.integer(),
        (before, last, seed) => {
          const network = new Network(randomOf(seed));
          for (const [one, ms] of before) network.live(one, ms);
          network.live(last, 10 * 60_000);
          if (last.socket === "works") expect(network.carriedBy).toBe("websocket");
          else if (last.http === "works") expect(network.carriedBy).toBe("http");
          // Between two cuts the socket is up, for what that is worth.
          else if (last.socket === "cut") expect(network.carriedBy).not.toBe("http");
          else expect(network.carriedBy).toBeNull();
        },
      ),
      { numRuns: 200 },
    );
  });

  it("N3: a network that cuts sockets is not told to the control plane again and again: one hello over HTTP stands", () => {
    const network = new Network(() => 0.5);
    network.live({ socket: "cut", http: "works" }, 60_000);
    const hellos = network.hellos;
    network.live({ socket: "cut", http: "works" }, 10 * 60_000);
    expect(network.carriedBy).toBe("http");
    expect(network.hellos).toBe(hellos);
  });
});
