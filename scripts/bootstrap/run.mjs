import { spawn } from "node:child_process";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];
/** One Ctrl-C arrives twice here: from the terminal, and from npm, which passes it on. Two by a person are further apart. */
const SAME_SIGNAL_MS = 250;

/** Passes signals on, but the echo of one only once. */
export function oncePerPress(send, now) {
  const lastAt = new Map();
  return (signal) => {
    const echo = now() - (lastAt.get(signal) ?? Number.NEGATIVE_INFINITY) < SAME_SIGNAL_MS;
    lastAt.set(signal, now());
    if (!echo) send(signal);
  };
}

/**
 * Runs a script with the project's Node and gives its exit code. The child leads its own process group, so that a
 * signal reaches it only through here, once; and it has a line to this process, at whose end it ends itself.
 */
export function runChild(root, node, file, args) {
  const path = [join(root, "node_modules", ".bin"), process.env.PATH ?? ""].join(delimiter);
  const guard = pathToFileURL(join(root, "scripts", "bootstrap", "guard.mjs")).href;
  // Node calls its own SQLite experimental at each start; what we pinned and tested needs no such line.
  const child = spawn(node, ["--disable-warning=ExperimentalWarning", "--import", guard, file, ...args], {
    env: { ...process.env, PATH: path },
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    detached: true,
  });
  const forward = oncePerPress(
    (signal) => child.kill(signal),
    () => performance.now(),
  );
  for (const signal of FORWARDED) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      for (const name of FORWARDED) process.off(name, forward);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}
