import type { ITheme } from "@xterm/xterm";

const NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

let made: ((css: string) => string) | null = null;

/** Any colour that CSS knows, as `#rrggbbaa`: the terminal paints with numbers. */
export function painter(): (css: string) => string {
  made ??= makePainter();
  return made;
}

function makePainter(): (css: string) => string {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const probe = document.createElement("span");
  probe.hidden = true;
  document.body.append(probe);
  return (css) => {
    probe.style.color = css;
    if (context === null) return "#808080ff";
    context.clearRect(0, 0, 1, 1);
    // The computed value: variables filled in, and the side that the theme picks.
    context.fillStyle = getComputedStyle(probe).color;
    context.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0, a = 255] = context.getImageData(0, 0, 1, 1).data;
    return `#${[r, g, b, a].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  };
}

export interface ThemeNow {
  /** Whether its cursor is seen. */
  readonly cursor: boolean;
  /** It is searched: what is found is selected, while the keyboard is elsewhere. */
  readonly looking: boolean;
}

/** The terminal's colours, from the tokens of the theme that is shown now. */
export function terminalTheme({ cursor, looking }: ThemeNow): ITheme {
  const paint = painter();
  const token = (name: string) => paint(`var(--${name})`);
  const colours = NAMES.flatMap((name) => [
    [name, token(`term-${name}`)],
    [`bright${name[0]?.toUpperCase()}${name.slice(1)}`, token(`term-bright-${name}`)],
  ]);
  return {
    ...Object.fromEntries(colours),
    background: token("color-canvas"),
    foreground: token("color-text"),
    cursor: token(cursor ? "color-accent" : "color-canvas"),
    cursorAccent: token(cursor ? "color-canvas" : "color-text"),
    selectionBackground: token("term-selection"),
    selectionInactiveBackground: token(looking ? "term-match-active" : "color-active"),
    scrollbarSliderBackground: token("color-active"),
    scrollbarSliderHoverBackground: token("color-line-strong"),
    scrollbarSliderActiveBackground: token("color-line-strong"),
  };
}
