import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";

const MODES = ["ask", "auto"] as const;
const MODELS = ["small", "large"] as const;

/** The mode and model of one session; on purpose not on disk, so that a resume has to set them again. */
export class Settings {
  #mode = "ask";
  #model = "small";

  /** Sets the mode or the model. False: there is no such option or value. */
  set(id: string, value: unknown): boolean {
    if (id === "mode" && MODES.some((one) => one === value)) this.#mode = String(value);
    else if (id === "model" && MODELS.some((one) => one === value)) this.#model = String(value);
    else return false;
    return true;
  }

  /** As `session/new` states them. */
  state(): { modes: SessionModeState; configOptions: SessionConfigOption[] } {
    const select = (id: string, currentValue: string, values: readonly string[]): SessionConfigOption => ({
      id,
      name: id === "mode" ? "Mode" : "Model",
      category: id,
      type: "select",
      currentValue,
      options: values.map((value) => ({ value, name: value })),
    });
    return {
      modes: { currentModeId: this.#mode, availableModes: MODES.map((id) => ({ id, name: id })) },
      configOptions: [select("mode", this.#mode, MODES), select("model", this.#model, MODELS)],
    };
  }

  /** In words, for the prompt `mode`. */
  words(): string {
    return `mode: ${this.#mode}, model: ${this.#model}`;
  }
}
