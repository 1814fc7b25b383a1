import { useCallback, useState } from "react";

/** A setting of this browser: kept over reloads, of the type that its default has. */
export function useStored<T extends number | boolean>(key: string, initial: T): readonly [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => parse(localStorage.getItem(key), initial));
  const store = useCallback(
    (next: T) => {
      setValue(next);
      localStorage.setItem(key, JSON.stringify(next));
    },
    [key],
  );
  return [value, store];
}

function parse<T extends number | boolean>(text: string | null, initial: T): T {
  if (text === null) return initial;
  try {
    const value: unknown = JSON.parse(text);
    return isLike(value, initial) ? value : initial;
  } catch {
    // Someone else's text under our key: the default is right.
    return initial;
  }
}

function isLike<T>(value: unknown, sample: T): value is T {
  return typeof value === typeof sample;
}
