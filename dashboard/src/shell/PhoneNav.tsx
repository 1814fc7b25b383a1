import { Columns3, Inbox, type LucideIcon, Plus, Server, Settings } from "lucide-react";
import { NavLink } from "react-router";
import { useSessions } from "../data/queries.ts";
import { needsYouCount } from "../inbox/groups.ts";
import { cx } from "../lib/cx.ts";

const TABS: readonly { readonly to: string; readonly label: string; readonly icon: LucideIcon }[] = [
  { to: "/", label: "Inbox", icon: Inbox },
  { to: "/board", label: "Board", icon: Columns3 },
  { to: "/new", label: "New", icon: Plus },
  { to: "/machines", label: "Machines", icon: Server },
  { to: "/settings", label: "Settings", icon: Settings },
];

/** The phone's way around, under the thumb. */
export function PhoneNav() {
  const count = needsYouCount(useSessions().data ?? []);
  return (
    <nav aria-label="Main" className="safe-bottom grid shrink-0 grid-cols-5 border-t border-line bg-surface">
      {TABS.map(({ to, label, icon: Icon }) => (
        <NavLink
          key={to}
          to={to}
          end={to === "/"}
          className={({ isActive }) =>
            cx(
              "relative flex h-14 flex-col items-center justify-center gap-0.5 text-[11px]",
              isActive ? "text-accent" : "text-text-3",
            )
          }
        >
          <Icon size={20} />
          {label}
          {to === "/" && count > 0 ? (
            <span className="tabular absolute top-1.5 left-1/2 ml-1.5 rounded-full bg-amber-fill px-1.5 text-[10px] leading-4 font-semibold text-[oklch(0.25_0.05_70)]">
              {count}
            </span>
          ) : null}
        </NavLink>
      ))}
    </nav>
  );
}
