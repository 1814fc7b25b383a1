/** An end that needs no stack trace: its message says what to do. */
export class Explained extends Error {}

/** Runs a command's main function; an explained end is its message and exit code 1. */
export async function main(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    if (!(error instanceof Explained)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
