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
    plugins: [oneLanguage, dockerBySocketOnly],
    // CommonJS packages (ws, commander) still call `require` for Node's own modules.
    banner: {
      js: 'import { createRequire as $require } from "node:module"; const require = $require(import.meta.url);',
    },
    logLevel: "warning",
  });
}

/** Both programs, side by side in `dist/`, where the daemon looks for the host. */
export async function buildAgentctl(folder: string = here("./dist")): Promise<void> {
  await Promise.all([
    buildProgram("host", join(folder, "host.mjs")),
    buildProgram("agentctl", join(folder, "agentctl.mjs")),
  ]);
}

if (import.meta.main) await buildAgentctl();
