import { expect, it } from "vitest";
import { isSoftware } from "./webgl.ts";

it("a card is told from what only looks like one", () => {
  expect(isSoftware("ANGLE (Apple, ANGLE Metal Renderer: Apple M3, Unspecified Version)")).toBe(false);
  expect(isSoftware("ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 Direct3D11 vs_5_0 ps_5_0, D3D11)")).toBe(false);
  expect(isSoftware("ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)")).toBe(true);
  expect(isSoftware("Mesa/X.org, llvmpipe (LLVM 15.0.6, 256 bits)")).toBe(true);
  expect(isSoftware("ANGLE (Microsoft, Microsoft Basic Render Driver Direct3D11)")).toBe(true);
});
