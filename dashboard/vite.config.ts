import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// The dev server stands beside `wrangler dev`: pages come from here, everything live from the worker.
const workerPort = process.env["REPRISE_WORKER_PORT"] ?? "8787";
const worker = `http://127.0.0.1:${workerPort}`;

export default defineConfig(({ command }) => {
  // Whoever builds from a test or a dev run would else ship React's development build: twice the size.
  if (command === "build") process.env["NODE_ENV"] = "production";
  return {
    root: import.meta.dirname,
    plugins: [react(), tailwindcss()],
    build: {
      outDir: "dist",
      emptyOutDir: true,
      target: ["chrome123", "firefox120", "safari17.5"],
      // Fonts and icons stay files: a data: URL would need its own CSP entry.
      assetsInlineLimit: 0,
      rolldownOptions: {
        output: {
          // What every page is drawn with comes in one file: a dozen small ones cost more than they save.
          codeSplitting: {
            groups: [
              { name: "kit", test: /src\/(ui|lib|state)\/|node_modules\/(lucide-react|@radix-ui|@floating-ui)\// },
            ],
          },
        },
      },
    },
    server: {
      host: "127.0.0.1",
      port: Number(process.env["REPRISE_DASHBOARD_PORT"] ?? "5173"),
      strictPort: true,
      proxy: {
        "/api": { target: worker, ws: true, changeOrigin: false },
      },
    },
  };
});
