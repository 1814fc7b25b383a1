import { useSyncExternalStore } from "react";

/** Whether a media query holds now. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}

/** Below this the app is the phone's: the same width as `md` in tokens.css. */
export function usePhone(): boolean {
  return useMedia("(width < 820px)");
}

/** Whether the page is handled by fingers. */
export function isTouch(): boolean {
  return matchMedia("(pointer: coarse)").matches;
}
