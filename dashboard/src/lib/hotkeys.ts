import { useEffect } from "react";

/** Whether keys belong to what is being typed in, and not to the page. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}

/** Names a key press as bindings do: "mod+k", "shift+enter", "j". */
export function keyName(event: Pick<KeyboardEvent, "key" | "metaKey" | "ctrlKey" | "shiftKey" | "altKey">): string {
  const key = event.key.toLowerCase();
  const parts = [
    event.metaKey || event.ctrlKey ? "mod" : "",
    event.altKey ? "alt" : "",
    event.shiftKey && key.length > 1 ? "shift" : "",
    key,
  ];
  return parts.filter(Boolean).join("+");
}

/**
 * Runs a page's keys. A handler answers whether it took the key. Nothing runs while someone types (except with mod) or
 * while a dialog or menu has the keyboard.
 * @param inDialog the keys are a dialog's own
 */
export function useHotkeys(handle: (key: string) => boolean, inDialog = false): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const name = keyName(event);
      if (event.defaultPrevented || (isTyping(event.target) && !name.startsWith("mod"))) return;
      // A focused button or link takes Enter itself.
      if (name === "enter" && event.target instanceof Element && event.target.closest("a, button") !== null) return;
      if (!inDialog && document.querySelector("dialog[open], [role=menu]") !== null) return;
      if (handle(name)) event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [handle, inDialog]);
}
