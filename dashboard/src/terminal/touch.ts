import { type Finger, fingerDown, fingerMoved, gliding, type Scrolled } from "./finger.ts";

/** Held this long without moving, a finger selects, as everywhere on a phone. */
const HOLD_MS = 450;
/** A finger that rests trembles by so many pixels. */
const TREMBLE_PX = 8;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface TouchPorts {
  /** A line's height in pixels. */
  cell(): number;
  scroll(lines: number, at: Point): void;
  /** A finger was held: what is under it is selected, and from there on what it moves over. */
  hold(at: Point): void;
  extend(at: Point): void;
}

/** The terminal under a finger, which its library knows nothing of: it scrolls, glides, and selects when held. */
export function underFinger(element: HTMLElement, ports: TouchPorts, signal: AbortSignal): void {
  let finger: Finger | null = null;
  let from: Point = { x: 0, y: 0 };
  let holding = false;
  let timer = 0;
  let frame = 0;

  const take = ({ finger: next, lines }: Scrolled, at: Point) => {
    finger = next;
    if (lines !== 0) ports.scroll(lines, at);
  };
  const rest = () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  };
  const down = (event: TouchEvent) => {
    rest();
    const at = pointOf(event);
    finger = at === null ? null : fingerDown(at.y, event.timeStamp);
    holding = false;
    if (at === null) return;
    from = at;
    timer = window.setTimeout(() => {
      holding = true;
      ports.hold(at);
    }, HOLD_MS);
  };
  const move = (event: TouchEvent) => {
    const at = pointOf(event);
    if (finger === null || at === null) return rest();
    if (holding) return ports.extend(at);
    if (Math.hypot(at.x - from.x, at.y - from.y) > TREMBLE_PX) clearTimeout(timer);
    take(fingerMoved(finger, at.y, event.timeStamp, ports.cell()), at);
  };
  const up = (event: TouchEvent) => {
    clearTimeout(timer);
    // Else it would count as a click as well, and bring up the keyboard over what was selected.
    if (holding && event.cancelable) event.preventDefault();
    if (holding || finger === null) return;
    const glide = (at: number) => {
      const step = finger === null ? null : gliding(finger, at, ports.cell());
      if (step === null) return;
      take(step, from);
      frame = requestAnimationFrame(glide);
    };
    frame = requestAnimationFrame(glide);
  };
  element.addEventListener("touchstart", down, { passive: true, signal });
  element.addEventListener("touchmove", move, { passive: true, signal });
  element.addEventListener("touchend", up, { passive: false, signal });
  element.addEventListener("touchcancel", rest, { signal });
  signal.addEventListener("abort", rest);
}

/** One finger; two of them zoom. */
function pointOf({ touches }: TouchEvent): Point | null {
  const touch = touches.length === 1 ? touches[0] : undefined;
  return touch === undefined ? null : { x: touch.clientX, y: touch.clientY };
}
