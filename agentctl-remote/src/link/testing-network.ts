import { IDLE, type LinkEvent, type LinkState, linkStep } from "./core.ts";
import { LINK_LIMITS } from "./limits.ts";
import { FRESH, type Transport, type TransportEvent, type TransportState, transportStep } from "./transport.ts";

/** What the network does to each way. */
export interface Weather {
  socket: "works" | "refused" | "cut" | "swallows" | "away";
  http: "works" | "refused" | "away";
}

/** A round trip, and how long a network that cuts sockets lets them live. */
const TRIP_MS = 20;
const CUT_MS = 2_000;

class SimulatedLink {
  state: LinkState = IDLE;
  timer: number | null = null;
  upAt: number | null = null;
}

/** Both links' cores and the decision between them, on a clock of their own, against a network made of rules. */
export class Network {
  now = 0;
  hellos = 0;
  private weather: Weather = { socket: "works", http: "works" };
  private way: TransportState = FRESH;
  private readonly socket = new SimulatedLink();
  private http: SimulatedLink | null = null;
  private events: { at: number; link: SimulatedLink; event: LinkEvent }[] = [];
  private readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
    this.feed(this.socket, { type: "start" });
  }

  /** Which way is up and used. */
  get carriedBy(): Transport | null {
    const link = this.way.mode === "http" ? this.http : this.socket;
    if (link?.state.phase !== "up") return null;
    return this.way.mode === "http" ? "http" : "websocket";
  }

  /** Let time pass in that weather. */
  live(weather: Weather, ms: number): void {
    this.change(weather);
    const until = this.now + ms;
    for (;;) {
      const timers = [this.socket, this.http].flatMap((link) =>
        link?.timer === null || !link ? [] : [{ at: link.timer, link, event: { type: "timer" } as const }],
      );
      const next = [...this.events, ...timers].sort((a, b) => a.at - b.at)[0];
      if (!next || next.at > until) break;
      this.now = Math.max(this.now, next.at);
      this.events = this.events.filter((one) => one !== next);
      if (next.event.type === "timer") next.link.timer = null;
      this.feed(next.link, next.event);
    }
    this.now = until;
  }

  /** What was open in the old weather meets the new one. */
  private change(weather: Weather): void {
    this.weather = weather;
    for (const link of [this.socket, this.http]) {
      if (!link || !("conn" in link.state) || this.rule(link) === "works") continue;
      if (link.state.phase !== "waiting" && this.rule(link) !== "swallows")
        this.later(link, { type: "closed", conn: link.state.conn, code: 1006 });
    }
  }

  private rule(link: SimulatedLink): Weather["socket"] {
    return link === this.socket ? this.weather.socket : this.weather.http;
  }

  private later(link: SimulatedLink, event: LinkEvent, ms = TRIP_MS): void {
    this.events.push({ at: this.now + ms, link, event });
  }

  private feed(link: SimulatedLink, event: LinkEvent): void {
    const onTrial = link === this.socket && this.way.mode !== "socket";
    const stepped = linkStep(link.state, event, { now: this.now, random: this.random(), limits: LINK_LIMITS, onTrial });
    link.state = stepped.state;
    for (const effect of stepped.effects) {
      switch (effect.type) {
        case "connect":
          this.connected(link, effect.conn);
          break;
        case "hello":
          this.hellos += 1;
          if (this.answers(link)) this.later(link, { type: "welcomed", conn: effect.conn });
          break;
        case "ping":
          if (this.answers(link)) this.later(link, { type: "heard", conn: effect.conn });
          break;
        case "arm":
          link.timer = effect.at;
          break;
        case "disarm":
          link.timer = null;
          break;
        case "up":
          link.upAt = this.now;
          this.decide({ type: link === this.socket ? "socket_up" : "http_up" });
          break;
        case "down": {
          const healthy = link.upAt !== null && this.now - link.upAt >= LINK_LIMITS.healthyMs;
          link.upAt = null;
          this.decide(
            link === this.socket ? { type: "socket_down", trouble: effect.trouble, healthy } : { type: "http_down" },
          );
          break;
        }
        case "drop":
          break;
        default:
          effect satisfies never;
      }
    }
  }

  private answers(link: SimulatedLink): boolean {
    const rule = this.rule(link);
    return rule === "works" || rule === "cut";
  }

  private connected(link: SimulatedLink, conn: number): void {
    switch (this.rule(link)) {
      case "refused":
        this.later(link, { type: "refused", conn, status: 502 });
        break;
      case "away":
        this.later(link, { type: "failed", conn });
        break;
      case "cut":
        this.later(link, { type: "opened", conn });
        this.later(link, { type: "closed", conn, code: 1006 }, CUT_MS);
        break;
      case "works":
      case "swallows":
        this.later(link, { type: "opened", conn });
        break;
    }
  }

  private decide(event: TransportEvent): void {
    const { state, effects } = transportStep(this.way, event);
    this.way = state;
    for (const effect of effects) {
      if (effect.type === "close_http") this.http = null;
      if (effect.type === "open_http") {
        this.http = new SimulatedLink();
        this.feed(this.http, { type: "start" });
      }
    }
    this.events = this.events.filter(({ link }) => link === this.socket || link === this.http);
  }
}
