import { expect, it } from "vitest";
import { type ShortcutPlace, shortcutOf } from "./shortcuts.ts";

const place: ShortcutPlace = { mac: false, selected: false, fullScreen: false, agent: false };
const press = (keys: string, part: Partial<ShortcutPlace> = {}) => {
  const names = keys.split("+");
  const key = names.at(-1) ?? "";
  const has = (name: string) => names.slice(0, -1).includes(name);
  const event = { key, ctrlKey: has("ctrl"), metaKey: has("meta"), shiftKey: has("shift"), altKey: has("alt") };
  return shortcutOf(event, { ...place, ...part });
};

it("Ctrl-C interrupts, unless something is selected to be copied", () => {
  expect(press("ctrl+c")).toBeNull();
  expect(press("ctrl+c", { selected: true })).toBe("browser_copy");
  expect(press("ctrl+shift+C")).toBe("copy");
});

it("pastes are the browser's, so that they come as one piece", () => {
  for (const keys of ["ctrl+v", "ctrl+shift+V", "shift+Insert"]) expect(press(keys), keys).toBe("browser_paste");
});

it("a full-screen program keeps its Ctrl-F; with Shift it is always the search", () => {
  expect(press("ctrl+f")).toBe("find");
  expect(press("ctrl+f", { fullScreen: true })).toBeNull();
  expect(press("ctrl+shift+F", { fullScreen: true })).toBe("find");
});

it("on a Mac no Ctrl is taken from the program, and the browser copies and pastes by itself", () => {
  const mac = { mac: true, selected: true };
  for (const keys of ["ctrl+c", "ctrl+v", "ctrl+f", "meta+c", "meta+v"]) expect(press(keys, mac), keys).toBeNull();
  expect(press("meta+f", { ...mac, fullScreen: true })).toBe("find");
});

it("Shift-Enter is a new line in an agent's prompt, and an Enter in a shell", () => {
  expect(press("shift+Enter", { agent: true })).toBe("newline");
  expect(press("shift+Enter")).toBeNull();
  expect(press("Enter", { agent: true })).toBeNull();
});

it("all other keys are the program's", () => {
  for (const keys of ["a", "ctrl+k", "ctrl+alt+f", "alt+v", "ctrl+Insert", "Tab"]) expect(press(keys), keys).toBeNull();
});
