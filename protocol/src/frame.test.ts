import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeFrame } from "./frame.ts";
import { MAX_FRAME_BYTES } from "./limits.ts";
import { NodeUp } from "./wire/node-link.ts";

it("S6: no text makes the decoder throw; each gets a code", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (raw) => {
      const d = decodeFrame(raw, NodeUp);
      if (!d.ok) expect(["too_large", "invalid_json", "invalid_field"]).toContain(d.code);
    }),
  );
  expect(decodeFrame("x".repeat(MAX_FRAME_BYTES + 1), NodeUp)).toMatchObject({ code: "too_large" });
  expect(decodeFrame('{"type":"command.done","command_id":5}', NodeUp)).toMatchObject({
    code: "invalid_field",
    field: "command_id",
  });
});
