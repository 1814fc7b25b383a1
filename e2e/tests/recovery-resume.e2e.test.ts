import { STANDALONE } from "../src/recovery/executors.ts";
import { RESUMES } from "../src/recovery/rows/resume.ts";
import { table } from "../src/recovery/table.ts";

table("resumes", STANDALONE, RESUMES, { realAgents: true });
