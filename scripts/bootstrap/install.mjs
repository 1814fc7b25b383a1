import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** An end that needs no stack trace: its message says what to do. */
export class Explained extends Error {}

/** npm 10 was tried with this lock file; older ones were not. */
const OLDEST_NPM = 10;
/** How long a command waits while another installs: a cold install on a slow line. */
const INSTALL_WAIT_MS = 15 * 60_000;
const INSTALL_POLL_MS = 500;

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    // No file, or one cut short by a kill: both mean that the install is to be done.
    if (error.code === "ENOENT" || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The hash that node_modules must have been installed for. */
export function lockHash(root) {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .update(`${process.platform}-${process.arch}`)
    .digest("hex");
}

/**
 * Whether node_modules holds what package-lock.json asks for, by npm's own record of what it put there. So somebody
 * who ran `npm install` by hand is not made to wait for a second one.
 */
export function recordMatches(lock, record) {
  if (!lock || !record) return false;
  for (const [path, want] of Object.entries(lock.packages)) {
    if (!path.includes("node_modules/")) continue;
    const have = record.packages[path];
    if (!have) {
      // Other systems' binaries are in the lock file and not on this disk.
      if (want.optional || want.devOptional || want.peer) continue;
      return false;
    }
    if (have.version !== want.version || have.integrity !== want.integrity) return false;
  }
  return Object.keys(record.packages).every((path) => path in lock.packages);
}

/** The person's own Node and npm: the ones in node_modules are gone for a moment while npm replaces them. */
function outsideNpm(root) {
  const inside = join(root, "node_modules");
  const path = (process.env.PATH ?? "").split(delimiter).filter((part) => !part.startsWith(inside));
  const env = { ...process.env, PATH: path.join(delimiter) };
  const { npm_node_execpath: node, npm_execpath: npm } = process.env;
  const direct = node && npm && !node.startsWith(inside) && npm.endsWith(".js") && existsSync(node) && existsSync(npm);
  return { env, command: direct ? [node, npm] : ["npm"] };
}

function npm(root, args, stdio) {
  const { env, command } = outsideNpm(root);
  const [file, ...first] = command;
  return spawnSync(file, [...first, ...args], { cwd: root, env, stdio, encoding: "utf8" });
}

function npmVersion(root) {
  const asked = npm(root, ["--version"], ["ignore", "pipe", "inherit"]);
  if (asked.error?.code === "ENOENT") throw new Explained("Reprise needs npm beside Node; there is none on the PATH.");
  if (asked.error || asked.status !== 0) throw new Explained("npm does not run here: `npm --version` failed.");
  return asked.stdout.trim();
}

function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** One install at a time in a checkout; the lock of a process that died is taken over. */
async function withInstallLock(root, work) {
  const dir = join(root, ".reprise");
  const file = join(dir, "install.lock");
  mkdirSync(dir, { recursive: true });
  const until = Date.now() + INSTALL_WAIT_MS;
  for (let said = false; ; said = true) {
    try {
      writeFileSync(file, String(process.pid), { flag: "wx" });
      break;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const owner = Number(existsSync(file) ? readFileSync(file, "utf8") : 0);
    if (owner > 0 && !alive(owner)) rmSync(file, { force: true });
    else if (Date.now() > until) throw new Explained(`Another install (process ${owner}) holds ${file}. End it first.`);
    else {
      if (!said) console.error(`Waiting for the install that process ${owner} does here.`);
      await new Promise((resolve) => setTimeout(resolve, INSTALL_POLL_MS));
    }
  }
  try {
    return work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** Runs `npm ci` unless node_modules is already what package-lock.json asks for. */
export async function ensureInstalled(root) {
  const stampFile = join(root, "node_modules", ".reprise-install.json");
  const hash = lockHash(root);
  if (readJson(stampFile)?.hash === hash) return;
  await withInstallLock(root, () => {
    const stamp = readJson(stampFile);
    if (stamp?.hash === hash) return;
    const record = join(root, "node_modules", ".package-lock.json");
    if (recordMatches(readJson(join(root, "package-lock.json")), readJson(record))) {
      writeFileSync(stampFile, JSON.stringify({ hash, seconds: stamp?.seconds ?? null }));
      return;
    }
    install(root, stampFile, hash, stamp?.seconds);
  });
}

function install(root, stampFile, hash, lastSeconds) {
  const version = npmVersion(root);
  if (Number(version.split(".")[0]) < OLDEST_NPM) {
    throw new Explained(`Reprise needs npm ${OLDEST_NPM} or newer to install; this is npm ${version}.`);
  }
  const last = lastSeconds ? `took ${lastSeconds} s last time` : "the first time takes a minute or two";
  console.error(`Installing the packages of package-lock.json with npm ${version} (${last}).`);
  const started = Date.now();
  // NODE_ENV=production must not leave out the tools that every command needs.
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const done = npm(root, args, ["ignore", "inherit", "inherit"]);
  if (done.signal) throw new Explained(`The install was ended (${done.signal}). The next command does it again.`);
  if (done.error || done.status !== 0) {
    throw new Explained("npm could not install the packages (its own words are above). Nothing was started.");
  }
  const seconds = Math.max(1, Math.round((Date.now() - started) / 1000));
  writeFileSync(stampFile, JSON.stringify({ hash, seconds }));
  console.error(`Installed in ${seconds} s.`);
}
