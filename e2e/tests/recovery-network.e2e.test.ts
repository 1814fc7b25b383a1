import { STANDALONE } from "../src/recovery/executors.ts";
import { NETWORK } from "../src/recovery/rows/network.ts";
import { table } from "../src/recovery/table.ts";

table("the network", STANDALONE, NETWORK);
