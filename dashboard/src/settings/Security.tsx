import { useQuery } from "@tanstack/react-query";
import { KeyRound, LogOut, Monitor } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router";
import { api, sentence } from "../data/api.ts";
import { keys, queryClient, useMe } from "../data/queries.ts";
import { useNow } from "../lib/clock.ts";
import { ago, clockTime } from "../lib/time.ts";
import { useBusy } from "../lib/useBusy.ts";
import { Button } from "../ui/Button.tsx";
import { Card, Section } from "../ui/Card.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Input } from "../ui/Input.tsx";
import { SkeletonRows } from "../ui/Skeleton.tsx";
import { browserName } from "./browser-name.ts";

/** Who can get in: this browser, others, and programs. */
export function Security() {
  return (
    <>
      <SignOut />
      <Browsers />
      <Tokens />
    </>
  );
}

function SignOut() {
  const me = useMe();
  const navigate = useNavigate();
  const { busy, run } = useBusy<"out">();
  const out = async () => {
    if (!(await run("out", () => api.account.signOut()))) return;
    queryClient.clear();
    queryClient.setQueryData(keys.me, null);
    await navigate("/sign-in", { replace: true });
  };
  return (
    <Section
      title="You"
      hint={me.data == null ? undefined : `Signed in as ${me.data.person.name}. Reprise ${me.data.version}.`}
      actions={
        <Button icon={<LogOut size={15} />} busy={busy === "out"} onClick={() => void out()}>
          Sign out
        </Button>
      }
    >
      <p className="text-sm text-text-3">Signing out ends nothing: your agents go on working.</p>
    </Section>
  );
}

function Browsers() {
  const now = useNow();
  const list = useQuery({
    queryKey: keys.browsers,
    queryFn: async ({ signal }) => (await api.account.browserSessions.list(signal)).sessions,
  });
  const { busy, run } = useBusy<string>();
  const revoke = (id: string) =>
    void run(id, async () => {
      await api.account.browserSessions.revoke(id);
      await queryClient.invalidateQueries({ queryKey: keys.browsers });
    });
  return (
    <Section title="Browsers" hint="Where you are signed in.">
      {list.error === null ? null : <p className="text-sm text-red">{sentence(list.error)}</p>}
      {list.data === undefined ? (
        list.error === null ? (
          <SkeletonRows rows={2} className="h-12" />
        ) : null
      ) : (
        <Card>
          <ul>
            {list.data.map((browser) => (
              <li
                key={browser.id}
                className="flex items-center gap-3 border-b border-line px-4 py-3 text-sm last:border-b-0"
              >
                <Monitor size={17} className="shrink-0 text-text-3" />
                <div className="min-w-0 flex-1">
                  <p className="truncate font-medium" title={browser.agent}>
                    {browserName(browser.agent)}
                  </p>
                  <p className="text-xs text-text-3">
                    {browser.current ? "This browser" : `Last used ${ago(browser.last_used_at, now)}`} · signed in{" "}
                    {clockTime(browser.created_at, now)}
                  </p>
                </div>
                {browser.current ? null : (
                  <Button size="sm" busy={busy === browser.id} onClick={() => revoke(browser.id)}>
                    Sign out
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </Section>
  );
}

function Tokens() {
  const now = useNow();
  const list = useQuery({
    queryKey: keys.tokens,
    queryFn: async ({ signal }) => (await api.account.tokens.list(signal)).tokens,
  });
  const { busy, run } = useBusy<string>();
  const [name, setName] = useState("");
  const [created, setCreated] = useState<{ readonly name: string; readonly secret: string } | null>(null);
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.tokens });
  const create = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return;
    void run("create", async () => {
      setCreated(await api.account.tokens.create({ name: name.trim() }));
      setName("");
      await refresh();
    });
  };
  const revoke = (id: string) =>
    void run(id, async () => {
      await api.account.tokens.revoke(id);
      await refresh();
    });
  return (
    <Section title="API tokens" hint="For the agentctl command, scripts and MCP clients. They reach what you reach.">
      <form className="flex gap-2" onSubmit={create}>
        <Input
          aria-label="Name of the token"
          value={name}
          placeholder="What is it for?"
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" busy={busy === "create"} icon={<KeyRound size={15} />} disabled={name.trim() === ""}>
          Create token
        </Button>
      </form>
      {created === null ? null : (
        <div role="status" className="rounded-md border border-amber-line bg-amber-soft px-3.5 py-3 text-sm">
          <p className="font-medium">{created.name}: copy it now. It is not shown again.</p>
          <div className="mt-2 flex items-center gap-2 rounded-sm border border-line bg-surface py-1 pr-1 pl-3">
            <code className="min-w-0 flex-1 truncate text-[12.5px]">{created.secret}</code>
            <CopyButton text={created.secret} label="Copy the token" />
          </div>
        </div>
      )}
      {list.error === null ? null : <p className="text-sm text-red">{sentence(list.error)}</p>}
      {list.data === undefined ? (
        list.error === null ? (
          <SkeletonRows rows={1} className="h-12" />
        ) : null
      ) : list.data.length === 0 ? (
        <p className="text-sm text-text-3">No tokens yet.</p>
      ) : (
        <Card>
          <ul>
            {list.data.map((token) => (
              <li
                key={token.id}
                className="flex items-center gap-3 border-b border-line px-4 py-3 text-sm last:border-b-0"
              >
                <KeyRound size={16} className="shrink-0 text-text-3" />
                <div className="min-w-0 flex-1">
                  <p className="truncate font-medium">{token.name}</p>
                  <p className="text-xs text-text-3">
                    {token.last_used_at === null ? "Never used" : `Last used ${ago(token.last_used_at, now)}`} · made{" "}
                    {clockTime(token.created_at, now)}
                  </p>
                </div>
                <Button size="sm" busy={busy === token.id} onClick={() => revoke(token.id)}>
                  Revoke
                </Button>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </Section>
  );
}
