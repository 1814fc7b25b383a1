import { setTimeout as delay } from "node:timers/promises";
import { DEATH_POLL_MS, ENTER_MS, PASTE_WAIT_MS } from "../../limits.ts";
import { asTyped } from "./core/keys.ts";

export interface Keyboard {
  /** Does the program take a paste as one? */
  pastes(): boolean;
  /** Do the keys go to the agent? To its shell, they would be commands. */
  reaches(): boolean;
  write(text: string): void;
}

/** Gives prompts to a terminal agent as a person would: a paste, then Enter; one after the other. */
export class Typist {
  private readonly keyboard: Keyboard;
  private last: Promise<void> = Promise.resolve();
  private first = true;
  /** Which agent it types for: what waits for one that is gone goes to nobody. */
  private turn = 0;

  constructor(keyboard: Keyboard) {
    this.keyboard = keyboard;
  }

  /** @param refused the agent isn't the one who would get it */
  type(text: string, refused: () => void): void {
    const { turn } = this;
    const stands = () => turn === this.turn;
    this.last = this.last.then(async () => {
      const given = await this.now(text, stands);
      if (!given && stands()) refused();
    });
  }

  /** Another agent comes, or none. */
  forget(): void {
    this.turn++;
    this.first = true;
  }

  private async now(text: string, stands: () => boolean): Promise<boolean> {
    // An agent that has just come up may not have its input field yet.
    const until = Date.now() + (this.first ? PASTE_WAIT_MS : 0);
    this.first = false;
    while (stands() && !this.keyboard.pastes() && Date.now() < until) await delay(DEATH_POLL_MS);
    if (!stands() || !this.keyboard.reaches()) return false;
    this.keyboard.write(asTyped(text, this.keyboard.pastes()));
    await delay(ENTER_MS);
    if (!stands() || !this.keyboard.reaches()) return false;
    this.keyboard.write("\r");
    return true;
  }
}
