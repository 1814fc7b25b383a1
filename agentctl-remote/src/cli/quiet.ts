/** Node calls its own SQLite experimental at each start; what we pinned and tested needs no such line. */
const printers = process.listeners("warning");
process.removeAllListeners("warning");
process.on("warning", (warning) => {
  if (warning.name === "ExperimentalWarning" && warning.message.includes("SQLite")) return;
  for (const print of printers) print(warning);
});
