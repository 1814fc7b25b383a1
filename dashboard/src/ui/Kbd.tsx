export const isMac = typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.userAgent);

/** How this system writes a key: `mod` is ⌘ on a Mac and Ctrl elsewhere. */
export function keyLabel(key: string): string {
  if (key === "mod") return isMac ? "⌘" : "Ctrl";
  if (key === "shift") return isMac ? "⇧" : "Shift";
  if (key === "enter") return "↵";
  return key.length === 1 ? key.toUpperCase() : key;
}

/** Keys as they stand on the keyboard; `keys` is written like "mod k". */
export function Kbd({ keys }: { readonly keys: string }) {
  return (
    <span className="inline-flex gap-0.5" aria-hidden>
      {keys.split(" ").map((key) => (
        <kbd
          key={key}
          className="inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-xs border border-line bg-sunken px-1 font-sans text-[11px] leading-none text-text-3"
        >
          {keyLabel(key)}
        </kbd>
      ))}
    </span>
  );
}
