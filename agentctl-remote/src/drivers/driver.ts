import type { PromptBlocks } from "@reprise/protocol";
import type { AgentEvent, Launch } from "../host/core/types.ts";

/** A stretch of an open item's text, for those who look. Never stored (L3). */
export interface Preview {
  item_id: string;
  kind: "text" | "thought";
  offset: number;
  text: string;
}

/** What a driver is given. All that it tells goes through `tell`, in the order in which it happened. */
export interface DriverPorts {
  launch: Launch;
  env: Readonly<Record<string, string>>;
  tell: (event: AgentEvent) => void;
  preview: (preview: Preview) => void;
  log: (message: string, details?: Record<string, unknown>) => void;
  now: () => number;
}

/** One agent process, from its start to the proof of its death. No method throws; what goes wrong is told. */
export interface Driver {
  prompt(turnId: string, blocks: PromptBlocks): void;
  cancel(): void;
  /** `optionId` null: dismissed. */
  answer(requestId: string, optionId: string | null): void;
  setMode(mode: string): void;
  setModel(model: string): void;
  /** Somebody looks: previews are wanted. */
  watch(on: boolean): void;
  /** Preview this item from its beginning. */
  whole(itemId: string): void;
  /** Read no more of the agent's output until `resumeReading` (P5). */
  pauseReading(): void;
  resumeReading(): void;
  /** End its whole process group; `dead` is told once that is proven. */
  kill(): void;
}
