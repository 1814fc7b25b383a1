import type { NodeSummary, SessionStatus } from "@reprise/protocol";
import { newClientId } from "@reprise/sdk";
import { ServerOff } from "lucide-react";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { api, sentence } from "../data/api.ts";
import { putStatus, useNodes, useProfiles, useSessions } from "../data/queries.ts";
import { useTitle } from "../lib/useTitle.ts";
import { ListError } from "../shell/ListError.tsx";
import { PageHeader } from "../shell/PageHeader.tsx";
import { Banner } from "../ui/Banner.tsx";
import { Button, buttonClass } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { Field } from "../ui/Field.tsx";
import { Select, Textarea } from "../ui/Input.tsx";
import { Kbd } from "../ui/Kbd.tsx";
import { SkeletonRows } from "../ui/Skeleton.tsx";
import { AgentChoice } from "./AgentChoice.tsx";
import { BeginWith } from "./BeginWith.tsx";
import { branchFrom, type Draft, needsPrompt, problemOf, runtimesOf, toRequest } from "./draft.ts";
import { FolderField, useInspected } from "./FolderField.tsx";
import { KeptField } from "./KeptField.tsx";
import { holderOf } from "./kept.ts";
import { readLast, writeLast } from "./last.ts";
import { offersOf, whyNotFromKept } from "./offers.ts";
import { RuntimeChoice } from "./RuntimeChoice.tsx";
import { WorktreeField } from "./WorktreeField.tsx";

/** Starting something: what, by whom, where. */
export function NewSessionPage() {
  useTitle("New session");
  const [params] = useSearchParams();
  const nodes = useNodes();
  const profiles = useProfiles();
  const sessions = useSessions();
  const from = params.get("from");
  const loading =
    nodes.data === undefined || profiles.data === undefined || (from !== null && sessions.data === undefined);
  const error = nodes.error ?? profiles.error ?? (from === null ? null : sessions.error);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title="New session" />
      <div className="scroll-y min-h-0 flex-1">
        {!loading && nodes.data !== undefined ? (
          nodes.data.length === 0 ? (
            <NoMachine />
          ) : (
            <NewSessionForm
              key={from ?? ""}
              nodes={nodes.data}
              from={sessions.data?.find((status) => status.session_id === from)}
              elsewhere={params.has("elsewhere")}
            />
          )
        ) : error === null ? (
          <div className="mx-auto max-w-160 p-6">
            <SkeletonRows rows={4} className="h-16" />
          </div>
        ) : (
          <ListError
            error={error}
            onRetry={() => void Promise.all([nodes.refetch(), profiles.refetch(), sessions.refetch()])}
          />
        )}
      </div>
    </div>
  );
}

function Refused({ error }: { readonly error: unknown }) {
  const holder = holderOf(error);
  return (
    <Banner
      tone="red"
      actions={
        holder === null ? undefined : (
          <Link to={`/sessions/${holder}`} className={buttonClass("secondary", "sm")}>
            Open that session
          </Link>
        )
      }
    >
      {sentence(error)}
    </Banner>
  );
}

function NoMachine() {
  return (
    <EmptyState
      icon={<ServerOff size={20} />}
      title="No machine has joined yet"
      action={
        <Link to="/machines?join=1" className={buttonClass("primary")}>
          Join a machine
        </Link>
      }
    >
      Agents run on machines that you own. Join one with a single command, then come back here.
    </EmptyState>
  );
}

function firstDraft(nodes: readonly NodeSummary[], from: SessionStatus | undefined, elsewhere: boolean): Draft {
  const last = readLast();
  const online = nodes.filter((node) => node.presence === "online");
  const others = online.filter((node) => node.id !== from?.node.id);
  const wanted = elsewhere ? others[0]?.id : (from?.node.id ?? last.node_id);
  const node = nodes.find((each) => each.id === wanted) ?? online[0] ?? nodes[0];
  return {
    node_id: node?.id ?? "",
    profile_id: from?.agent_profile_id ?? last.profile_id ?? "",
    cwd: from?.worktree_path ?? from?.workspace_path ?? last.cwd ?? "",
    runtime: from?.runtime ?? last.runtime ?? "standalone",
    worktree: false,
    branch: "",
    prompt: "",
    kept: null,
  };
}

function NewSessionForm({
  nodes,
  from,
  elsewhere,
}: {
  readonly nodes: readonly NodeSummary[];
  readonly from: SessionStatus | undefined;
  readonly elsewhere: boolean;
}) {
  const navigate = useNavigate();
  const profiles = useProfiles().data ?? [];
  const [draft, setDraft] = useState(() => firstDraft(nodes, from, elsewhere));
  const [branchTouched, setBranchTouched] = useState(false);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  // One form is one session, however often its button is pressed.
  const clientId = useRef(newClientId());
  const set = (part: Partial<Draft>) => setDraft((was) => ({ ...was, ...part }));
  /** Another place, or another agent, has other conversations. */
  const setPlace = (part: Partial<Draft>) =>
    setDraft((was) => ({ ...was, ...part, kept: was.kept === null ? null : "" }));

  const node = nodes.find((each) => each.id === draft.node_id);
  const online = node?.presence === "online";
  const { offered, chosen: runtime } = runtimesOf(node, draft.runtime);
  const offers = useMemo(() => offersOf(profiles, node, runtime), [profiles, node, runtime]);
  const inspected = useInspected(draft.node_id, draft.cwd, online);
  const git = inspected.data?.git ?? null;
  const chosen = offers.find((each) => each.profile.id === draft.profile_id);
  useEffect(() => {
    const first = offers.find((each) => each.usable);
    if ((chosen === undefined || !chosen.usable) && first !== undefined)
      setDraft((was) => ({ ...was, profile_id: first.profile.id }));
  }, [chosen, offers]);

  const effective: Draft = {
    ...draft,
    runtime,
    branch: branchTouched ? draft.branch : branchFrom(draft.prompt),
    // A conversation that there is belongs to its folder.
    worktree: draft.worktree && git !== null && draft.kept === null,
  };
  const problem = problemOf(effective, chosen);
  const errorOf = (field: keyof Draft) => (tried && problem?.field === field ? problem.message : undefined);

  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    setTried(true);
    if (problem !== null) {
      document.querySelector<HTMLElement>("[aria-invalid=true], textarea")?.focus();
      return;
    }
    setBusy(true);
    setError(null);
    try {
      const created = await api.sessions.create(toRequest(effective, clientId.current, from?.task_id));
      writeLast({ node_id: draft.node_id, profile_id: draft.profile_id, runtime, cwd: draft.cwd });
      putStatus(created.status);
      await navigate(`/sessions/${created.session_id}`);
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };

  return (
    <form
      aria-label="New session"
      className="mx-auto flex max-w-160 flex-col gap-6 px-6 py-8 max-md:px-4 max-md:py-5"
      onSubmit={(event) => void submit(event)}
    >
      {from === undefined ? null : (
        <Banner tone="neutral">
          Goes on in the task of{" "}
          <Link to={`/sessions/${from.session_id}`} className="font-medium underline underline-offset-2">
            {from.title}
          </Link>
          . It begins a new conversation; the old one stays.
        </Banner>
      )}
      <Field label="Prompt" error={errorOf("prompt")} optional={!needsPrompt(draft, chosen)}>
        {(ids) => (
          <Textarea
            {...ids}
            autoFocus
            rows={5}
            value={draft.prompt}
            placeholder="What should be done?"
            className="min-h-32 text-base!"
            onChange={(event) => set({ prompt: event.target.value })}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) void submit();
            }}
          />
        )}
      </Field>
      <Field
        label="Machine"
        error={errorOf("node_id")}
        hint={
          node === undefined || online
            ? undefined
            : `${node.name} is ${node.presence}. The session starts as soon as it is back.`
        }
      >
        {(ids) => (
          <Select {...ids} value={draft.node_id} onChange={(event) => setPlace({ node_id: event.target.value })}>
            {nodes.map((each) => (
              <option key={each.id} value={each.id}>
                {each.name}
                {each.presence === "online" ? "" : ` (${each.presence})`}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {offered.length > 1 ? (
        <RuntimeChoice offered={offered} value={runtime} onChange={(chosen) => setPlace({ runtime: chosen })} />
      ) : null}
      <AgentChoice offers={offers} value={draft.profile_id} onChange={(profile_id) => setPlace({ profile_id })} />
      <FolderField
        nodeId={draft.node_id}
        online={online}
        value={draft.cwd}
        error={errorOf("cwd")}
        onChange={(cwd) => setPlace({ cwd })}
      />
      <BeginWith
        kept={draft.kept !== null}
        refused={chosen === undefined ? null : whyNotFromKept(chosen)}
        onChange={(kept) => set({ kept: kept ? "" : null })}
      />
      {draft.kept === null || chosen === undefined ? null : (
        <KeptField
          key={[draft.node_id, draft.profile_id, draft.cwd, runtime].join("\n")}
          place={{ node_id: draft.node_id, agent_profile_id: draft.profile_id, cwd: draft.cwd.trim(), runtime }}
          listed={inspected.data?.exists === true}
          agentName={chosen.profile.agent_name}
          machine={node?.name ?? ""}
          online={online}
          value={draft.kept}
          error={errorOf("kept")}
          onChange={(kept) => set({ kept })}
        />
      )}
      {git === null || draft.kept !== null ? null : (
        <WorktreeField
          root={git.root}
          checked={draft.worktree}
          branch={effective.branch}
          error={errorOf("branch")}
          onCheck={(worktree) => set({ worktree })}
          onBranch={(branch) => {
            setBranchTouched(true);
            set({ branch });
          }}
        />
      )}
      {error === null ? null : <Refused error={error} />}
      <div className="flex items-center justify-end gap-3 pb-4">
        <span className="max-md:hidden">
          <Kbd keys="mod enter" />
        </span>
        <Button type="submit" variant="primary" busy={busy} className="max-md:w-full">
          Start session
        </Button>
      </div>
    </form>
  );
}
