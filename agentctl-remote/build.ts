import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Each program is one file that loads nothing after its start: a host lives for weeks, while the checkout that it came
 * from is upgraded under it.
 */
export async function buildAgentctl(): Promise<void> {
  await build({
    entryPoints: { host: here("./src/host/main.ts"), agentctl: here("./src/cli/main.ts") },
    outdir: here("./dist"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: false,
    platform: "node",
    target: "node24",
    format: "esm",
    sourcemap: false,
    legalComments: "none",
    // CommonJS packages (ws, commander, pino) still call `require` for Node's own modules.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
}

if (import.meta.main) await buildAgentctl();
