import { Tooltip as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { Kbd } from "./Kbd.tsx";

export const TooltipProvider = Primitive.Provider;

/** Says what an element does, and by which key, when the pointer rests on it or the keyboard reaches it. */
export function Tooltip({
  label,
  keys,
  side = "bottom",
  children,
}: {
  readonly label: ReactNode;
  readonly keys?: string | undefined;
  readonly side?: "top" | "bottom" | "left" | "right";
  readonly children: ReactNode;
}) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-80 animate-fade items-center gap-2 rounded-sm border border-line bg-raised px-2 py-1 text-xs text-text shadow-md"
        >
          {label}
          {keys === undefined ? null : <Kbd keys={keys} />}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
