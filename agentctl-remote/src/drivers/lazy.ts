import type { Driver, DriverPorts } from "./driver.ts";

type Start = (ports: DriverPorts) => Driver;

/**
 * A driver whose code is run only once an agent needs it: schemas take memory, and a host lives long beside others. What
 * is asked of it meanwhile is asked in turn.
 */
export function lazily(load: () => Promise<Start>): Start {
  let loaded: Start | null = null;
  return (ports) => {
    if (loaded) return loaded(ports);
    let driver: Driver | null = null;
    const waiting: ((driver: Driver) => void)[] = [];
    const ask = (what: (driver: Driver) => void) => {
      if (driver) what(driver);
      else waiting.push(what);
    };
    load().then(
      (start) => {
        loaded = start;
        driver = start(ports);
        for (const what of waiting) what(driver);
      },
      (error: unknown) => {
        const message = `The agent's driver could not be loaded: ${String(error)}`.slice(0, 2_000);
        ports.tell({ type: "failed", failure: { code: "agent_start_failed", message } });
        ports.tell({ type: "dead", stderr: "" });
      },
    );
    return {
      prompt: (turnId, blocks) => ask((one) => one.prompt(turnId, blocks)),
      cancel: () => ask((one) => one.cancel()),
      answer: (requestId, optionId) => ask((one) => one.answer(requestId, optionId)),
      setMode: (mode) => ask((one) => one.setMode(mode)),
      setModel: (model) => ask((one) => one.setModel(model)),
      watch: (on) => ask((one) => one.watch(on)),
      whole: (itemId) => ask((one) => one.whole(itemId)),
      pauseReading: () => ask((one) => one.pauseReading()),
      resumeReading: () => ask((one) => one.resumeReading()),
      kill: () => ask((one) => one.kill()),
    };
  };
}
