import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";
import { Kbd } from "./Kbd.tsx";

/** A menu on a trigger. Not modal: the modal kind injects a style element, which the CSP forbids. */
export function Menu({
  trigger,
  label,
  align = "end",
  children,
}: {
  readonly trigger: ReactNode;
  readonly label?: string;
  readonly align?: "start" | "end";
  readonly children: ReactNode;
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className="z-50 min-w-48 animate-rise rounded-md border border-line bg-raised p-1 shadow-lg"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const item =
  "flex h-(--control) cursor-default select-none items-center gap-2 rounded-xs px-2 text-sm outline-none data-disabled:opacity-45 data-highlighted:bg-active";

/** One thing a menu can do. */
export function MenuItem({
  icon,
  keys,
  danger = false,
  disabled = false,
  onSelect,
  children,
}: {
  readonly icon?: ReactNode;
  readonly keys?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}) {
  return (
    <DropdownMenu.Item disabled={disabled} onSelect={onSelect} className={cx(item, danger ? "text-red" : "text-text")}>
      <span className={cx("flex w-4 justify-center", !danger && "text-text-3")}>{icon}</span>
      <span className="flex-1">{children}</span>
      {keys === undefined ? null : <Kbd keys={keys} />}
    </DropdownMenu.Item>
  );
}

/** A line between groups of a menu. */
export function MenuSeparator() {
  return <DropdownMenu.Separator className="mx-1 my-1 h-px bg-line" />;
}
