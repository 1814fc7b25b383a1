import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAX_SOCKET_PATH_BYTES } from "../limits.ts";
import { forgetInsideSocket, insideSocket } from "./paths.ts";

let temp = "";
beforeEach(() => {
  temp = mkdtempSync(join(tmpdir(), "paths-"));
});
afterEach(() => rmSync(temp, { recursive: true }));

function folder(name: string): string {
  const dir = join(temp, name);
  mkdirSync(dir, { recursive: true });
  return dir;
}

describe("the socket of a host in a container", () => {
  it("X7: lies in the session's folder where that path is short", () => {
    const dir = folder("short");
    expect(insideSocket(dir, temp)).toBe(join(dir, "host.sock"));
  });

  it("X7: is reached by a short link where it is long, the same each time, and nothing is left of it", () => {
    const dir = folder("x".repeat(120));
    writeFileSync(join(dir, "host.sock"), "here");
    const path = insideSocket(dir, temp);
    expect(Buffer.byteLength(path)).toBeLessThanOrEqual(MAX_SOCKET_PATH_BYTES);
    expect(realpathSync(path)).toBe(realpathSync(join(dir, "host.sock")));
    expect(insideSocket(dir, temp)).toBe(path);
    forgetInsideSocket(dir, temp);
    expect(lstatSync(dirname(path), { throwIfNoEntry: false })).toBeUndefined();
    expect(existsSync(join(dir, "host.sock"))).toBe(true);
  });

  it("X7: a link that leads elsewhere is no way to it", () => {
    const dir = folder("y".repeat(120));
    const link = dirname(insideSocket(dir, temp));
    unlinkSync(link);
    writeFileSync(link, "");
    expect(() => insideSocket(dir, temp)).toThrow();
  });
});
