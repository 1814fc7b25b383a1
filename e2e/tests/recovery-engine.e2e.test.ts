import { DOCKER } from "../src/recovery/executors.ts";
import { ENGINE } from "../src/recovery/rows/containers.ts";
import { table } from "../src/recovery/table.ts";

// The engine is everybody's: one row after the other.
table("the Docker engine", DOCKER, ENGINE, { oneByOne: true });
