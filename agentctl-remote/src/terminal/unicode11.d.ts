import type { ITerminalAddon } from "@xterm/headless";

/** `@xterm/addon-unicode11` (see tsconfig.json): its own types are of a page's terminal, and bring a browser's with them. */
declare const module: { Unicode11Addon: new () => ITerminalAddon };
export default module;
