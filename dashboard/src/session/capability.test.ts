import { expect, it } from "vitest";
import { interrupted, status } from "../testing/sample.ts";
import { whetherItResumes } from "./capability.ts";

it("R1: what an agent can is said once it has come up, and never guessed before", () => {
  const unable = { supports_session_resume: false };
  expect(whetherItResumes(status())).toBe("This agent can resume earlier sessions");
  expect(whetherItResumes(interrupted(unable))).toBe("This agent can't resume earlier sessions");
  expect(whetherItResumes(status({ ...unable, prompted: false }))).toBe("This agent can't resume earlier sessions");
  expect(whetherItResumes(interrupted({ ...unable, prompted: false }))).toBe("Not known before the agent has run");
});
