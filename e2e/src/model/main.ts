import { parseArgs } from "node:util";
import { startModel } from "./server.ts";

/** Runs the stand-in by hand: `node e2e/src/model/main.ts --port 9999 [--verbose]`. */
const { values } = parseArgs({
  options: { port: { type: "string", default: "0" }, verbose: { type: "boolean", default: false } },
});
const model = await startModel({ port: Number(values.port) });
console.log(model.url);
if (values.verbose) {
  let seen = 0;
  setInterval(() => {
    for (; seen < model.requests.length; seen++) {
      const one = model.requests[seen];
      console.log(`${one?.method} ${one?.path} ${one?.purpose} ${JSON.stringify(one?.body)?.slice(0, 2000)}`);
    }
  }, 200);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    model.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}
