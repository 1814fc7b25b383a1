/** What real agents say when a conversation isn't there any more (docs of the agents and adapters, and tried). */
const GONE = [
  /no conversation found with session id/i,
  /no rollout found/i,
  /no saved session found/i,
  /no previous sessions found/i,
  /session not found/i,
  /resource not found/i,
];

/** Do an agent's words say that its conversation is gone? */
export function saysGone(words: string): boolean {
  return GONE.some((pattern) => pattern.test(words));
}
