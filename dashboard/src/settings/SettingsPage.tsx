import { NavLink, Outlet } from "react-router";
import { cx } from "../lib/cx.ts";
import { useTitle } from "../lib/useTitle.ts";
import { PageHeader } from "../shell/PageHeader.tsx";

const PARTS = [
  ["agents", "Agents"],
  ["appearance", "Appearance"],
  ["security", "Security"],
] as const;

/** Settings: a part to the left, what it holds to the right. */
export function SettingsPage() {
  useTitle("Settings");
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title="Settings" />
      <div className="flex min-h-0 flex-1 max-md:flex-col">
        <nav
          aria-label="Settings"
          className="flex w-48 shrink-0 flex-col gap-px p-4 max-md:w-auto max-md:flex-row max-md:overflow-x-auto max-md:border-b max-md:border-line max-md:p-2"
        >
          {PARTS.map(([id, name]) => (
            <NavLink
              key={id}
              to={`/settings/${id}`}
              className={({ isActive }) =>
                cx(
                  "flex h-8 items-center rounded-sm px-2.5 text-sm hover:bg-hover max-md:h-10 max-md:px-4",
                  isActive ? "bg-active font-medium" : "text-text-2",
                )
              }
            >
              {name}
            </NavLink>
          ))}
        </nav>
        <div className="scroll-y min-h-0 flex-1">
          <div className="flex max-w-180 flex-col gap-10 px-6 py-6 max-md:px-4">
            <Outlet />
          </div>
        </div>
      </div>
    </div>
  );
}
