import { create } from "zustand";

export interface Toast {
  readonly id: number;
  readonly tone: "neutral" | "red";
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

interface ToastState {
  readonly toasts: readonly Toast[];
  readonly push: (toast: Omit<Toast, "id">) => void;
  readonly dismiss: (id: number) => void;
}

/** More than this would cover the page, and nobody reads the fourth. */
const MAX_TOASTS = 3;
let lastId = 0;

export const useToasts = create<ToastState>((set) => ({
  toasts: [],
  push: (toast) =>
    set((state) => {
      lastId += 1;
      return { toasts: [...state.toasts, { ...toast, id: lastId }].slice(-MAX_TOASTS) };
    }),
  dismiss: (id) => set((state) => ({ toasts: state.toasts.filter((toast) => toast.id !== id) })),
}));

/** Says in passing that something was done, or why it was not. */
export function toast(text: string, options: Partial<Omit<Toast, "id" | "text">> = {}): void {
  useToasts.getState().push({ tone: "neutral", ...options, text });
}
