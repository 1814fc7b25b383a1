import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** What a session's container needs beside Node: a shell, git, and the tools that scripts and agents call. */
const COMMANDS = [
  ..."sh bash git env cat ls cp mv rm mkdir rmdir chmod touch ln sleep head tail echo printf test true false".split(
    " ",
  ),
  ..."pwd id uname date wc sort uniq cut tr grep sed find xargs kill ps stat dirname basename readlink install".split(
    " ",
  ),
];

/** Parts of the C library that agents' own programs load, whatever Node does. */
const OF_LIBC = ["librt.so.1", "libutil.so.1", "libresolv.so.2", "libnss_files.so.2", "libnss_dns.so.2"];

/** Merged as in Debian, so that both spellings of a path lead to the same file. */
const MERGED = ["bin", "sbin", "lib", "lib64"];

/** Where a program lies here. @returns null when this machine has none */
function which(command: string): string | null {
  const places = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin"].map((dir) => join(dir, command));
  return places.find((path) => existsSync(path)) ?? null;
}

/** The libraries that a program loads, its loader too. */
function libraries(program: string): string[] {
  let text: string;
  try {
    text = execFileSync("ldd", [program], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    // A script, or linked statically: it needs none.
    return [];
  }
  return [...text.matchAll(/(?:=> )?(\/\S+) \(0x/g)].flatMap((match) => match[1] ?? []);
}

/** Make a small root file system of this machine's own programs, since nothing can be pulled. @param dir empty */
export function makeRootFs(dir: string, node: string = process.execPath): void {
  for (const name of MERGED) {
    mkdirSync(join(dir, "usr", name), { recursive: true });
    symlinkSync(`usr/${name}`, join(dir, name));
  }
  for (const name of ["etc", "proc", "sys", "dev", "root", "run", "var/tmp", "usr/local/bin"])
    mkdirSync(join(dir, name), { recursive: true });
  mkdirSync(join(dir, "tmp"));
  chmodSync(join(dir, "tmp"), 0o1777);
  writeFileSync(join(dir, "etc", "passwd"), "root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n");
  writeFileSync(join(dir, "etc", "group"), "root:x:0:\nnode:x:1000:\n");
  writeFileSync(join(dir, "etc", "hosts"), "127.0.0.1 localhost\n");
  const put = (from: string, to: string) => {
    const target = join(dir, to);
    if (existsSync(target)) return;
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(realpathSync(from), target);
    chmodSync(target, 0o755);
  };
  const program = (from: string, to: string) => {
    put(from, to);
    for (const library of libraries(from)) put(library, library);
  };
  program(node, "/usr/local/bin/node");
  const c = libraries(node).find((path) => /\/libc\.so/.test(path));
  for (const name of c ? OF_LIBC : []) {
    const path = join(dirname(c ?? ""), name);
    if (existsSync(path)) put(path, path);
  }
  for (const command of COMMANDS) {
    const path = which(command);
    if (path) program(path, `/usr/bin/${basename(path)}`);
  }
}
