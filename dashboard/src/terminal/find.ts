import { SearchAddon } from "@xterm/addon-search";
import type { Terminal } from "@xterm/xterm";
import { painter } from "./theme.ts";

/** Which match is shown, from 1 on, and of how many; `at` is 0 where there are more than are counted. */
export interface Found {
  readonly at: number;
  readonly of: number;
}

/** More matches than this are not marked: nobody looks at each of them, and every mark costs. */
const MAX_MARKS = 1_000;

/** Looks for words on the screen and in what has scrolled away. */
export class Find {
  readonly #terminal: Terminal;
  readonly #addon = new SearchAddon({ highlightLimit: MAX_MARKS });

  constructor(terminal: Terminal, found: (found: Found) => void) {
    this.#terminal = terminal;
    terminal.loadAddon(this.#addon);
    this.#addon.onDidChangeResults(({ resultIndex, resultCount }) => found({ at: resultIndex + 1, of: resultCount }));
  }

  /** @param how `typed`: the match that is shown stays as long as it fits */
  look(words: string, how: "typed" | "next" | "previous"): void {
    const options = { incremental: how === "typed", decorations: marks() };
    if (words === "") this.end();
    else if (how === "previous") this.#addon.findPrevious(words, options);
    else this.#addon.findNext(words, options);
  }

  end(): void {
    this.#addon.clearDecorations();
    this.#terminal.clearSelection();
  }
}

/** The addon takes whole colours only. */
function marks() {
  const paint = painter();
  const whole = (name: string) => paint(`var(--${name})`).slice(0, 7);
  return {
    matchBackground: whole("term-match"),
    matchOverviewRuler: whole("term-match"),
    activeMatchBackground: whole("term-match-active"),
    activeMatchColorOverviewRuler: whole("term-match-active"),
  };
}
