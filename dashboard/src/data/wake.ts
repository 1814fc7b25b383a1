/** Calls when the network or the reader comes back: then no link should wait for its next try. */
export function onWake(wake: () => void): () => void {
  const whenVisible = () => {
    if (document.visibilityState === "visible") wake();
  };
  window.addEventListener("online", wake);
  document.addEventListener("visibilitychange", whenVisible);
  return () => {
    window.removeEventListener("online", wake);
    document.removeEventListener("visibilitychange", whenVisible);
  };
}
