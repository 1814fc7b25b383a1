import { ChevronDown, ChevronUp, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { IconButton } from "../ui/IconButton.tsx";
import type { Found } from "./find.ts";
import type { PageScreen } from "./screen.ts";
import type { TerminalView } from "./view.ts";

/** Looks for words in a terminal. */
export function FindBar({ screen, view }: { readonly screen: PageScreen; readonly view: TerminalView }) {
  const found = useStore(view, (state) => state.found);
  // What is selected is most often what is looked for.
  const [words, setWords] = useState(() => oneLine(screen.selection));
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    box.current?.select();
    return () => {
      screen.endLook();
      view.setState({ found: null });
    };
  }, [screen, view]);
  useEffect(() => screen.look(words, "typed"), [screen, words]);
  const close = () => {
    view.setState({ finding: false });
    screen.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const again = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "f";
    if (event.key === "Escape") close();
    else if (event.key === "Enter") screen.look(words, event.shiftKey ? "previous" : "next");
    else if (again) box.current?.select();
    else return;
    event.preventDefault();
  };
  return (
    <search className="absolute top-2 right-4 z-30 flex animate-rise items-center gap-0.5 rounded-md border border-line bg-raised py-1 pr-1 pl-2.5 shadow-md">
      <input
        ref={box}
        // biome-ignore lint/a11y/noAutofocus: it was opened to be typed into
        autoFocus
        aria-label="Find in the terminal"
        placeholder="Find"
        value={words}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        className="w-44 bg-transparent text-sm outline-none max-md:w-32 max-md:text-base"
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <span role="status" className="tabular min-w-14 px-1 text-right text-xs text-text-3">
        {words === "" ? "" : counted(found)}
      </span>
      <IconButton label="Previous" keys="shift enter" size="sm" onClick={() => screen.look(words, "previous")}>
        <ChevronUp size={15} />
      </IconButton>
      <IconButton label="Next" keys="enter" size="sm" onClick={() => screen.look(words, "next")}>
        <ChevronDown size={15} />
      </IconButton>
      <IconButton label="Close" keys="Esc" size="sm" onClick={close}>
        <X size={15} />
      </IconButton>
    </search>
  );
}

function oneLine(text: string): string {
  return text.includes("\n") ? "" : text;
}

function counted(found: Found | null): string {
  if (found === null || found.of === 0) return "None";
  return found.at === 0 ? `${found.of}+` : `${found.at} of ${found.of}`;
}
