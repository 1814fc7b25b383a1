import { STANDALONE } from "../src/recovery/executors.ts";
import { CROWD } from "../src/recovery/rows/crowd.ts";
import { table } from "../src/recovery/table.ts";

// X5's first wait of 5 s lasts long enough here to be seen in every session at once.
table("a crowd", STANDALONE, CROWD, { oneByOne: true, limits: { resume_step_ms: 30_000 } });
