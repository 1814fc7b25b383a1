import { copyFileSync, readFileSync, renameSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PROGRAMS = { host: "./src/host/main.ts", agentctl: "./src/cli/main.ts" } as const;

/** zod brings its messages in fifty languages; one is used. */
const oneLanguage: Plugin = {
  name: "one-language",
  setup({ onLoad }) {
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, ({ path }) => ({
      contents: 'export { default as en } from "./en.js";',
      resolveDir: dirname(path),
    }));
  },
};

/** What the Docker client brings for engines over ssh and for BuildKit: nothing of it is ever called here. */
const UNUSED = /^(ssh2|@grpc\/grpc-js|@grpc\/proto-loader|protobufjs)$/;

const dockerBySocketOnly: Plugin = {
  name: "docker-by-socket-only",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: UNUSED }, ({ path }) => ({ path, namespace: "unused" }));
    onLoad({ filter: /.*/, namespace: "unused" }, () => ({ contents: "module.exports = {};", loader: "js" }));
  },
};

/** Its main file asks for its own parts in a way that only Node understands; the same in modules is beside it. */
const jsoncInModules: Plugin = {
  name: "jsonc-in-modules",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^jsonc-parser$/ }, ({ resolveDir, kind }) =>
      resolve("jsonc-parser/lib/esm/main.js", { resolveDir, kind }),
    );
  },
};

/** The native part lies beside the program, named by its platform, and so does what macOS starts programs with. */
const nativeBeside: Plugin = {
  name: "native-beside",
  setup({ onLoad }) {
    const name = (suffix: string) => `["./${suffix}", process.platform, process.arch].join("-")`;
    onLoad({ filter: /node-pty\/requireBinary\.js$/ }, () => ({
      contents: `exports.requireBinary = () => require(${name("pty")} + ".node");`,
    }));
    onLoad({ filter: /node-pty\/unixTerminal\.js$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const contents = source.replace("require.resolve(helperPath)", `require.resolve(${name("spawn-helper")})`);
      if (contents === source) throw new Error("node-pty names its helper in another way than it did");
      return { contents };
    });
  },
};

/** The files of a native part, by the name under which they lie beside the programs; of the platforms that are installed. */
export function nativeParts(): { name: string; path: string }[] {
  const resolve = createRequire(import.meta.url);
  const known = [
    ["linux", "x64"],
    ["linux", "arm64"],
    ["darwin", "x64"],
    ["darwin", "arm64"],
  ] as const;
  return known.flatMap(([platform, arch]) =>
    [
      ["pty.node", `pty-${platform}-${arch}.node`],
      ["spawn-helper", `spawn-helper-${platform}-${arch}`],
    ].flatMap(([file, name]) => {
      try {
        return [{ name: `${name}`, path: resolve.resolve(`@lydell/node-pty-${platform}-${arch}/${file}`) }];
      } catch {
        // npm installs only this machine's platform; only macOS has a helper.
        return [];
      }
    }),
  );
}

/** A running host has the old file mapped: it is replaced, never written over. */
function put(from: string, to: string): void {
  const temp = `${to}.${process.pid}.tmp`;
  copyFileSync(from, temp);
  renameSync(temp, to);
}

/**
 * Make one program into one file that loads nothing after its start: a host lives for weeks, while the checkout that
 * it came from is upgraded under it.
 */
export async function buildProgram(name: keyof typeof PROGRAMS, outfile: string): Promise<void> {
  await build({
    entryPoints: [here(PROGRAMS[name])],
    outfile,
    bundle: true,
    // Source text stays in memory; names are kept for readable stacks.
    minify: true,
    keepNames: true,
    platform: "node",
    target: "node24",
    format: "esm",
    legalComments: "none",
    plugins: [oneLanguage, dockerBySocketOnly, jsoncInModules, nativeBeside],
    // CommonJS packages (ws, commander) still call `require` for Node's own modules.
    banner: {
      js: 'import { createRequire as $require } from "node:module"; const require = $require(import.meta.url);',
    },
    logLevel: "warning",
  });
}

/** Lay the native parts beside a program. */
export function putNativeParts(folder: string): void {
  for (const { name, path } of nativeParts()) put(path, join(folder, name));
}

/** Both programs, side by side in `dist/`, where the daemon looks for the host. */
export async function buildAgentctl(folder: string = here("./dist")): Promise<void> {
  await Promise.all([
    buildProgram("host", join(folder, "host.mjs")),
    buildProgram("agentctl", join(folder, "agentctl.mjs")),
  ]);
  putNativeParts(folder);
}

if (import.meta.main) await buildAgentctl();
