import { Check, Monitor, Moon, Sun } from "lucide-react";
import { RadioGroup } from "radix-ui";
import { cx } from "../lib/cx.ts";
import { type Theme, useTheme } from "../lib/theme.ts";
import { Section } from "../ui/Card.tsx";

const THEMES = [
  ["system", "As the system", Monitor],
  ["light", "Light", Sun],
  ["dark", "Dark", Moon],
] as const;

function isTheme(value: string): value is Theme {
  return THEMES.some(([id]) => id === value);
}

/** How it looks. */
export function Appearance() {
  const { theme, choose } = useTheme();
  return (
    <Section title="Theme" hint="Kept in this browser.">
      <RadioGroup.Root
        aria-label="Theme"
        value={theme}
        onValueChange={(value) => {
          if (isTheme(value)) choose(value);
        }}
        className="grid gap-3 sm:grid-cols-3"
      >
        {THEMES.map(([id, name, Icon]) => (
          <RadioGroup.Item
            key={id}
            value={id}
            className={cx(
              "flex flex-col overflow-hidden rounded-lg border text-left text-sm transition-colors",
              theme === id ? "border-accent ring-1 ring-accent" : "border-line-strong hover:border-text-3/60",
            )}
          >
            <Preview theme={id} />
            <span className="flex w-full items-center gap-2 border-t border-line px-3 py-2">
              <Icon size={15} className="text-text-3" />
              <span className="flex-1">{name}</span>
              {theme === id ? <Check size={15} className="text-accent" /> : null}
            </span>
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </Section>
  );
}

/** A small picture of the theme, drawn with its own colours. */
function Preview({ theme }: { readonly theme: Theme }) {
  const scheme = { system: "scheme-light-dark", light: "scheme-light", dark: "scheme-dark" }[theme];
  return (
    <span aria-hidden className={cx("flex h-24 w-full bg-(--color-canvas)", scheme)}>
      <span className="theme-preview flex w-full">
        <span className="theme-side w-1/4" />
        <span className="flex flex-1 flex-col gap-1.5 p-3">
          <span className="theme-bar w-3/5" />
          <span className="theme-line w-full" />
          <span className="theme-line w-4/5" />
          <span className="theme-dot mt-auto w-1/4 self-end" />
        </span>
      </span>
    </span>
  );
}
