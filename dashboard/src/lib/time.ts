const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long, in the one unit that matters: "8 s", "3 min", "5 h", "2 d". */
export function span(ms: number): string {
  const length = Math.max(0, ms);
  if (length < MINUTE) return `${Math.floor(length / SECOND)} s`;
  if (length < HOUR) return `${Math.floor(length / MINUTE)} min`;
  if (length < DAY) return `${Math.floor(length / HOUR)} h`;
  return `${Math.floor(length / DAY)} d`;
}

/** How long ago; the first seconds are "now", so that nothing flickers. */
export function ago(at: number, now: number): string {
  return now - at < 5 * SECOND ? "now" : `${span(now - at)} ago`;
}

/** A short length of work: "0.4 s", "12 s", "2 min 5 s". */
export function took(ms: number): string {
  if (ms < 100) return "0.1 s";
  if (ms < 10 * SECOND) return `${(ms / SECOND).toFixed(1)} s`;
  if (ms < MINUTE) return `${Math.round(ms / SECOND)} s`;
  const minutes = Math.floor(ms / MINUTE);
  const seconds = Math.round((ms % MINUTE) / SECOND);
  return seconds === 0 ? `${minutes} min` : `${minutes} min ${seconds} s`;
}

/** The clock's hours and minutes, "14:02"; before today with the day: "Mon 14:02", "3 Nov 14:02". */
export function clockTime(at: number, now: number): string {
  const date = new Date(at);
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}`;
  if (date.toDateString() === new Date(now).toDateString()) return time;
  if (now - at < 6 * DAY) return `${DAYS[date.getDay()]} ${time}`;
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${time}`;
}

/**
 * A moment in full, "30 Nov 2026, 14:02:09", for tooltips. By hand: the platform's own formatter takes milliseconds a
 * call, and lists ask for hundreds.
 */
export function fullTime(at: number): string {
  const date = new Date(at);
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join(":");
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}, ${time}`;
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
