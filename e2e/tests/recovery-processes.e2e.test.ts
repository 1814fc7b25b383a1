import { STANDALONE } from "../src/recovery/executors.ts";
import { PROCESSES } from "../src/recovery/rows/processes.ts";
import { table } from "../src/recovery/table.ts";

table("killed on a machine", STANDALONE, PROCESSES);
