import { STANDALONE } from "../src/recovery/executors.ts";
import { CROWD } from "../src/recovery/rows/crowd.ts";
import { table } from "../src/recovery/table.ts";

table(
  "a crowd",
  STANDALONE,
  CROWD, // X5's waits of 5 to 60 s, a twentieth.
  { limits: { resume_step_ms: 50 } },
);
