import type { Runtime, RuntimeInfo } from "@reprise/protocol";
import type { DockerConfig } from "./docker/config.ts";
import type { Engine } from "./docker/engine.ts";

export interface RuntimesPorts {
  allowed: readonly Runtime[];
  docker: { engine: Engine; config: DockerConfig } | null;
  /** Something else than before is to be told. @returns false where nobody would understand it yet */
  changed(infos: RuntimeInfo[]): boolean;
}

/** What sessions of this machine can run in, and why not where they can't (S4, T4). */
export class RuntimesTeller {
  private readonly ports: RuntimesPorts;
  /** What was last learned of the image; null while nobody could be asked. */
  private image: string | null = null;
  private told = "";

  constructor(ports: RuntimesPorts) {
    this.ports = ports;
  }

  list(): RuntimeInfo[] {
    const { allowed, docker } = this.ports;
    return [...new Set(allowed)].map((runtime): RuntimeInfo => {
      if (runtime === "standalone" || !docker) return { runtime, status: "ready", reason: null };
      const { outage } = docker.engine;
      const reason = outage.up ? this.image : outage.failure.message;
      return { runtime, status: reason === null ? "ready" : "unavailable", reason };
    });
  }

  /** Ask the engine and for the image; what changed is told. */
  async look(): Promise<void> {
    const { docker } = this.ports;
    if (!docker) return;
    const { engine, config } = docker;
    const answer = await engine.ask(false, (client) => client.getImage(config.image).inspect());
    if (answer.ok) this.image = null;
    else if (answer.why === "refused") this.image = imageMissing(config.image);
    this.tell();
  }

  /** The engine went or came back. */
  tell(): void {
    const infos = this.list();
    const key = JSON.stringify(infos);
    if (key !== this.told && this.ports.changed(infos)) this.told = key;
  }

  /** What a hello says. */
  hello(): RuntimeInfo[] {
    const infos = this.list();
    this.told = JSON.stringify(infos);
    return infos;
  }
}

/** Nothing is ever pulled: which image runs is the owner's to decide. */
export function imageMissing(image: string): string {
  return `The image ${image} isn't on this machine. Build or pull it, then try again.`;
}
