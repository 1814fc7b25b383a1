import { DOCKER } from "../src/recovery/executors.ts";
import { ENGINE } from "../src/recovery/rows/containers.ts";
import { CONTROL_PLANE } from "../src/recovery/rows/control-plane.ts";
import { table } from "../src/recovery/table.ts";

// The engine and the control plane are everybody's: one row after the other.
table("in Docker, one by one", DOCKER, [...ENGINE, ...CONTROL_PLANE], { oneByOne: true });
