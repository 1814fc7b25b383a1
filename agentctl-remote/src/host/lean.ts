import { z } from "zod";

/**
 * Imported before all else: zod then compiles no code for its schemas. A host parses little and lives long beside
 * others, so memory counts (4 MB each) and that speed doesn't.
 */
z.config({ jitless: true });
