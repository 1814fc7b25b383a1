import { STANDALONE } from "../src/recovery/executors.ts";
import { CONTROL_PLANE } from "../src/recovery/rows/control-plane.ts";
import { table } from "../src/recovery/table.ts";

table("the control plane", STANDALONE, CONTROL_PLANE, { oneByOne: true, realAgents: true });
