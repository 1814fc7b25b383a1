import { lazy, Suspense } from "react";
import { Navigate, Outlet, Route, Routes, useLocation } from "react-router";
import { BoardPage } from "../board/BoardPage.tsx";
import { InboxPage } from "../inbox/InboxPage.tsx";
import { SessionPage } from "../session/SessionPage.tsx";
import { AppShell } from "../shell/AppShell.tsx";
import { PageLoading } from "../shell/PageLoading.tsx";
import { Boundary } from "./Boundary.tsx";
import { NotFound } from "./NotFound.tsx";

const TaskPage = lazy(async () => ({ default: (await import("../board/TaskPage.tsx")).TaskPage }));
const NewSessionPage = lazy(async () => ({ default: (await import("../new/NewSessionPage.tsx")).NewSessionPage }));
const MachinesPage = lazy(async () => ({ default: (await import("../machines/MachinesPage.tsx")).MachinesPage }));
const SettingsPage = lazy(async () => ({ default: (await import("../settings/SettingsPage.tsx")).SettingsPage }));
const Agents = lazy(async () => ({ default: (await import("../settings/Agents.tsx")).Agents }));
const Appearance = lazy(async () => ({ default: (await import("../settings/Appearance.tsx")).Appearance }));
const Security = lazy(async () => ({ default: (await import("../settings/Security.tsx")).Security }));
const SignInPage = lazy(async () => ({ default: (await import("../pages/SignInPage.tsx")).SignInPage }));

/** A page may fail, or take a moment to be fetched; what is around it stays. */
function Guarded() {
  const { pathname } = useLocation();
  return (
    <Boundary key={pathname}>
      <Suspense fallback={<PageLoading />}>
        <Outlet />
      </Suspense>
    </Boundary>
  );
}

/**
 * The pages. Lists and sessions, where nearly every visit goes, come with the first load, so that none of them waits for
 * a second round; what is rarer is fetched when it is gone to.
 */
export function Pages() {
  return (
    <Routes>
      <Route element={<Guarded />}>
        <Route path="/sign-in" element={<SignInPage />} />
      </Route>
      <Route element={<AppShell />}>
        <Route element={<Guarded />}>
          <Route index element={<InboxPage />} />
          <Route path="board" element={<BoardPage />} />
          <Route path="sessions/:id" element={<SessionPage />} />
          <Route path="tasks/:id" element={<TaskPage />} />
          <Route path="new" element={<NewSessionPage />} />
          <Route path="machines" element={<MachinesPage />} />
          <Route path="settings" element={<SettingsPage />}>
            <Route index element={<Navigate to="/settings/agents" replace />} />
            <Route path="agents" element={<Agents />} />
            <Route path="appearance" element={<Appearance />} />
            <Route path="security" element={<Security />} />
          </Route>
          <Route path="*" element={<NotFound />} />
        </Route>
      </Route>
    </Routes>
  );
}
