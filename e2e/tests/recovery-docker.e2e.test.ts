import { DOCKER } from "../src/recovery/executors.ts";
import { CONTAINERS } from "../src/recovery/rows/containers.ts";
import { IDENTITY } from "../src/recovery/rows/identity.ts";
import { NETWORK } from "../src/recovery/rows/network.ts";
import { PROCESSES } from "../src/recovery/rows/processes.ts";
import { REBOOTS } from "../src/recovery/rows/reboots.ts";
import { RESUMES } from "../src/recovery/rows/resume.ts";
import { table } from "../src/recovery/table.ts";

table("in Docker", DOCKER, [...CONTAINERS, ...PROCESSES, ...REBOOTS, ...NETWORK, ...IDENTITY, ...RESUMES]);
