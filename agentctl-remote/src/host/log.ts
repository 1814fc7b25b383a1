export type Log = (message: string, details?: Record<string, unknown>) => void;

/** One JSON line each, to the standard output, which is `host.log`. */
export function lineLog(fixed: Record<string, unknown>): Log {
  return (message, details) => {
    process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), ...fixed, message, ...details })}\n`);
  };
}
