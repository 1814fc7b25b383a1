import type { Terminal } from "@xterm/xterm";

/** The machine's own screen answers these, once: a second answer from here would be typed into the program. */
export function answerNothing({ parser }: Terminal): void {
  const none = () => true;
  for (const prefix of ["", ">", "="]) parser.registerCsiHandler({ ...(prefix && { prefix }), final: "c" }, none);
  for (const prefix of ["", "?"]) {
    parser.registerCsiHandler({ ...(prefix && { prefix }), final: "n" }, none);
    parser.registerCsiHandler({ ...(prefix && { prefix }), intermediates: "$", final: "p" }, none);
  }
  parser.registerCsiHandler({ prefix: ">", final: "q" }, none);
  parser.registerDcsHandler({ intermediates: "$", final: "q" }, none);
  for (const code of [4, 10, 11, 12]) parser.registerOscHandler(code, (data) => data.includes("?"));
}
