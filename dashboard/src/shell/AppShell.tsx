import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import { Navigate, Outlet, useLocation, useNavigate } from "react-router";
import { openFeed } from "../data/feed.ts";
import { useMe } from "../data/queries.ts";
import { useHotkeys } from "../lib/hotkeys.ts";
import { usePhone } from "../lib/useMedia.ts";
import { Skeleton } from "../ui/Skeleton.tsx";
import { ListError } from "./ListError.tsx";
import { PhoneNav } from "./PhoneNav.tsx";
import { Sidebar } from "./Sidebar.tsx";

const CommandMenu = lazy(() => import("./CommandMenu.tsx"));

/** Everything behind the sign-in: the ways around, the page, and the feed that keeps them true. */
export function AppShell() {
  const me = useMe();
  const location = useLocation();
  if (me.data === undefined) {
    return me.error === null ? (
      <Skeleton className="h-full w-60 rounded-none" />
    ) : (
      <ListError error={me.error} onRetry={() => void me.refetch()} />
    );
  }
  if (me.data === null)
    return <Navigate to={`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`} replace />;
  return <SignedIn />;
}

function SignedIn() {
  const phone = usePhone();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [commands, setCommands] = useState(false);
  useEffect(openFeed, []);
  useHotkeys(
    useCallback(
      (key) => {
        if (key === "mod+k") setCommands(true);
        else if (key === "c") void navigate("/new");
        else return false;
        return true;
      },
      [navigate],
    ),
  );
  const inSession = pathname.startsWith("/sessions/");
  return (
    <>
      <a
        href="#content"
        className="sr-only z-50 rounded-sm bg-raised px-3 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      <div className="flex h-dvh flex-col md:flex-row">
        {phone ? null : <Sidebar onSearch={() => setCommands(true)} />}
        <main id="content" tabIndex={-1} className="min-h-0 min-w-0 flex-1 outline-none">
          <Outlet />
        </main>
        {phone && !inSession ? <PhoneNav /> : null}
      </div>
      {commands ? (
        <Suspense fallback={null}>
          <CommandMenu onClose={() => setCommands(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
