import { STANDALONE } from "../src/recovery/executors.ts";
import { REBOOTS } from "../src/recovery/rows/reboots.ts";
import { table } from "../src/recovery/table.ts";

table("reboots", STANDALONE, REBOOTS, { realAgents: true });
