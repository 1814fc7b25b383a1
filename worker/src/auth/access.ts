import { createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from "jose";
import { z } from "zod";

const Claims = z.object({ email: z.string().min(3).max(320) });

export const ACCESS_HEADER = "cf-access-jwt-assertion";

/**
 * Verifies what Cloudflare Access says of a caller: signature by key id, audience, issuer, time (S3).
 * @param keys its public keys; by default fetched and cached by jose.
 */
export function accessVerifier(team: string, audience: string, keys?: JWTVerifyGetKey) {
  const issuer = `https://${team}.cloudflareaccess.com`;
  const publicKeys = keys ?? createRemoteJWKSet(new URL(`${issuer}/cdn-cgi/access/certs`));
  /** @returns the person's address, or null for a token that doesn't hold. */
  return async (token: string): Promise<string | null> => {
    try {
      const { payload } = await jwtVerify(token, publicKeys, { issuer, audience, algorithms: ["RS256"] });
      const claims = Claims.safeParse(payload);
      return claims.success ? claims.data.email.toLowerCase() : null;
    } catch (error) {
      console.warn("access token refused", { reason: error instanceof Error ? error.message : String(error) });
      return null;
    }
  };
}
