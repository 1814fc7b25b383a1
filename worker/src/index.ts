import { app } from "./http/app.ts";

export { FeedObject } from "./feed/object.ts";
export type { AppType } from "./http/app.ts";
export { NodeObject } from "./node/object.ts";
export { SessionObject } from "./session/object.ts";

export default app;
