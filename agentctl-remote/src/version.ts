/** Told in the hello and by `agentctl --version`. */
export const VERSION = "0.1.0";
