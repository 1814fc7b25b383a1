import type { OpenAPIHono } from "@hono/zod-openapi";
import { ErrorBody } from "@reprise/protocol";
import { z } from "zod";
import type { AppEnv } from "./context.ts";

/** The doors as OpenAPI, from the schemas that check them; each may also answer with the one error shape. */
export function openApiDocument(app: Pick<OpenAPIHono<AppEnv>, "getOpenAPI31Document">) {
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Reprise", version: "1" },
    security: [{ token: [] }, { cookie: [] }],
  });
  const error = {
    description: "A code of a closed set, and a sentence.",
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  };
  const paths = Object.fromEntries(
    Object.entries(document.paths ?? {}).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [
          method,
          { ...operation, responses: { ...operation.responses, default: error } },
        ]),
      ),
    ]),
  );
  return {
    ...document,
    paths,
    components: {
      ...document.components,
      schemas: { ...document.components?.schemas, Error: z.toJSONSchema(ErrorBody) },
      securitySchemes: {
        token: { type: "http" as const, scheme: "bearer" },
        cookie: { type: "apiKey" as const, in: "cookie", name: "reprise" },
      },
    },
  };
}
