import { create } from "zustand";

export type Theme = "system" | "light" | "dark";

/** The same key as in public/theme.js, which sets the theme before the first paint. */
const STORAGE_KEY = "reprise.theme";

function stored(): Theme {
  const theme = document.documentElement.dataset["theme"];
  return theme === "light" || theme === "dark" ? theme : "system";
}

interface ThemeState {
  readonly theme: Theme;
  readonly choose: (theme: Theme) => void;
}

/** Which theme was chosen; "system" follows the device. */
export const useTheme = create<ThemeState>((set) => ({
  theme: stored(),
  choose: (theme) => {
    if (theme === "system") {
      delete document.documentElement.dataset["theme"];
      localStorage.removeItem(STORAGE_KEY);
    } else {
      document.documentElement.dataset["theme"] = theme;
      localStorage.setItem(STORAGE_KEY, theme);
    }
    set({ theme });
  },
}));
