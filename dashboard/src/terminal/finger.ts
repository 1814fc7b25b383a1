/** A finger that moves over the terminal; times in milliseconds, places in pixels. */
export interface Finger {
  readonly y: number;
  readonly at: number;
  /** Way that is not a whole line yet. */
  readonly rest: number;
  /** Pixels a millisecond, upwards positive: what was below comes into sight. */
  readonly speed: number;
}

export interface Scrolled {
  readonly finger: Finger;
  /** Towards the end positive. */
  readonly lines: number;
}

/** Of the speed of one step against what it was before: a finger's last tremble is no throw. */
const NEWEST = 0.6;
/** What is left of a thrown speed after one millisecond: it comes to rest in about a second. */
const GLIDE = 0.9965;
/** Slower than this is standing still. */
const STILL = 0.02;

export function fingerDown(y: number, at: number): Finger {
  return { y, at, rest: 0, speed: 0 };
}

/** @param cell a line's height */
export function fingerMoved(finger: Finger, y: number, at: number, cell: number): Scrolled {
  const way = finger.y - y;
  const time = Math.max(1, at - finger.at);
  const speed = NEWEST * (way / time) + (1 - NEWEST) * finger.speed;
  return travelled({ ...finger, y, at, speed }, way, cell);
}

/** The next step after a throw; null once it has come to rest. */
export function gliding(finger: Finger, at: number, cell: number): Scrolled | null {
  const time = at - finger.at;
  const speed = finger.speed * GLIDE ** time;
  if (Math.abs(speed) < STILL) return null;
  return travelled({ ...finger, at, speed }, speed * time, cell);
}

function travelled(finger: Finger, way: number, cell: number): Scrolled {
  const whole = finger.rest + way;
  const lines = Math.trunc(whole / cell);
  return { finger: { ...finger, rest: whole - lines * cell }, lines: lines === 0 ? 0 : lines };
}
