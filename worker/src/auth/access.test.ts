import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { accessVerifier } from "./access.ts";

const issuer = "https://team.cloudflareaccess.com";

async function setup() {
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), kid: "k1", alg: "RS256" }] });
  const sign = (change: { kid?: string; iss?: string; aud?: string; exp?: string; claims?: object } = {}) =>
    new SignJWT({ email: "Ada@Example.com", ...change.claims })
      .setProtectedHeader({ alg: "RS256", kid: change.kid ?? "k1" })
      .setIssuer(change.iss ?? issuer)
      .setAudience(change.aud ?? "app")
      .setExpirationTime(change.exp ?? "5m")
      .sign(privateKey);
  return { verify: accessVerifier("team", "app", keys), sign };
}

describe("S3: Cloudflare Access", () => {
  it("S3: a good token names its person", async () => {
    const { verify, sign } = await setup();
    expect(await verify(await sign())).toBe("ada@example.com");
  });

  it.each([
    ["another key id", { kid: "k2" }],
    ["another issuer", { iss: "https://evil.cloudflareaccess.com" }],
    ["another audience", { aud: "other" }],
    ["an old one", { exp: "-1m" }],
    ["one without an address", { claims: { email: 5 } }],
  ])("S3: %s is refused", async (_name, change) => {
    const { verify, sign } = await setup();
    expect(await verify(await sign(change))).toBeNull();
  });

  it("S3: one signed by another key, and one that is no token, are refused", async () => {
    const [{ verify }, other] = [await setup(), await setup()];
    expect(await verify(await other.sign())).toBeNull();
    expect(await verify("nonsense")).toBeNull();
  });
});
