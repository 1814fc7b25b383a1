import { STANDALONE } from "../src/recovery/executors.ts";
import { IDENTITY } from "../src/recovery/rows/identity.ts";
import { table } from "../src/recovery/table.ts";

table("who a machine is", STANDALONE, IDENTITY);
