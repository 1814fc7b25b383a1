import {
  CONNECT_LIMIT_MS,
  HEALTHY_AFTER_MS,
  HELLO_LIMIT_MS,
  PING_INTERVAL_MS,
  PROVE_MS,
  SILENCE_LIMIT_MS,
  SLOW_RETRY_MS,
  YIELD_RETRY_MS,
} from "../limits.ts";
import type { LinkLimits } from "./core.ts";

export const LINK_LIMITS: LinkLimits = {
  connectMs: CONNECT_LIMIT_MS,
  proveMs: PROVE_MS,
  helloMs: HELLO_LIMIT_MS,
  pingMs: PING_INTERVAL_MS,
  silenceMs: SILENCE_LIMIT_MS,
  healthyMs: HEALTHY_AFTER_MS,
  slowMs: SLOW_RETRY_MS,
  yieldMs: YIELD_RETRY_MS,
};
