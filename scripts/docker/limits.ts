/** Limits of the tests' own Docker engine. Each with its reason. */

/** A cold engine starts its containerd first; two busy cores take seconds for it. */
export const ENGINE_UP_MS = 60_000;
/** It stops its containers one after the other, each with its own grace. */
export const ENGINE_DOWN_MS = 60_000;
/** Between two looks at an engine that starts or ends. */
export const ENGINE_LOOK_MS = 50;
