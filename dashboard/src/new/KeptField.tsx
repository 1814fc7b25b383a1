import type { Conversation, Runtime } from "@reprise/protocol";
import { useQuery } from "@tanstack/react-query";
import { ArrowUpRight, CornerDownRight } from "lucide-react";
import { RadioGroup } from "radix-ui";
import { useState } from "react";
import { Link } from "react-router";
import { api, sentence } from "../data/api.ts";
import { useNow } from "../lib/clock.ts";
import { cx } from "../lib/cx.ts";
import { ago } from "../lib/time.ts";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { SkeletonRows } from "../ui/Skeleton.tsx";
import { matching, pastedId } from "./kept.ts";

export interface KeptPlace {
  readonly node_id: string;
  readonly agent_profile_id: string;
  readonly cwd: string;
  readonly runtime: Runtime;
}

/**
 * One of the conversations that an agent has kept of a folder: picked from what it lists, or its id pasted.
 * @param listed the folder is there, so that it can be asked of
 */
export function KeptField({
  place,
  listed: asked,
  agentName,
  machine,
  online,
  value,
  error,
  onChange,
}: {
  readonly place: KeptPlace;
  readonly listed: boolean;
  readonly agentName: string;
  readonly machine: string;
  readonly online: boolean;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (id: string) => void;
}) {
  const [typed, setTyped] = useState("");
  const listed = useQuery({
    queryKey: ["conversations", place],
    queryFn: ({ signal }) => {
      const { node_id, ...query } = place;
      return api.nodes.conversations(node_id, query, signal);
    },
    enabled: online && asked,
    staleTime: 10_000,
    retry: false,
  });
  const all = listed.data?.conversations ?? [];
  const shown = matching(all, typed);
  const pasted = pastedId(all, typed);
  const type = (text: string) => {
    setTyped(text);
    const id = pastedId(all, text);
    if (id !== null) onChange(id);
    // What was pasted before, and is there no more, must not be what is sent.
    else if (!all.some((each) => each.id === value)) onChange("");
  };
  return (
    <Field
      label="Conversation"
      error={error}
      hint={
        online
          ? listed.error === null
            ? undefined
            : `${sentence(listed.error)} You can paste its id.`
          : `${machine} is away, so it can't say what it has. You can paste the id.`
      }
    >
      {(ids) => (
        <div className="overflow-hidden rounded-md border border-line-strong bg-surface">
          <Input
            {...ids}
            value={typed}
            placeholder={all.length === 0 ? "Paste its id" : "Search, or paste its id"}
            className="rounded-b-none border-0 border-b! border-line! shadow-none!"
            onChange={(event) => type(event.target.value)}
          />
          <RadioGroup.Root
            value={value}
            onValueChange={onChange}
            aria-label="Conversations"
            className="max-h-66 overflow-y-auto p-1"
          >
            {listed.isLoading ? (
              <div className="p-1">
                <SkeletonRows rows={3} className="h-10" />
              </div>
            ) : null}
            {pasted === null ? null : <Row id={pasted} chosen={value === pasted} title="Use this id" detail={pasted} />}
            {shown.map((each) => (
              <Kept key={each.id} conversation={each} chosen={each.id === value} />
            ))}
            {listed.data !== undefined && shown.length === 0 && pasted === null ? (
              <p className="px-3 py-4 text-center text-xs text-text-3">
                {all.length === 0
                  ? `${agentName} has kept no conversation of this folder.`
                  : "None of them has these words."}
              </p>
            ) : null}
          </RadioGroup.Root>
        </div>
      )}
    </Field>
  );
}

function Kept({ conversation, chosen }: { readonly conversation: Conversation; readonly chosen: boolean }) {
  const now = useNow();
  const { id, title, updated_at, held_by } = conversation;
  const when = updated_at === null ? "" : `${ago(updated_at, now)} · `;
  const name = title ?? "Without a title";
  if (held_by === null) return <Row id={id} chosen={chosen} title={name} detail={`${when}${id}`} />;
  return (
    <Link
      to={`/sessions/${held_by.session_id}`}
      className="flex items-center gap-2.5 rounded-xs px-2.5 py-1.5 text-text-3 hover:bg-hover"
    >
      <Words title={name} detail={`${when}goes on in “${held_by.title ?? held_by.session_id}”`} />
      <ArrowUpRight size={15} className="shrink-0" aria-label="Open that session" />
    </Link>
  );
}

function Row({
  id,
  chosen,
  title,
  detail,
}: {
  readonly id: string;
  readonly chosen: boolean;
  readonly title: string;
  readonly detail: string;
}) {
  return (
    <RadioGroup.Item
      value={id}
      className={cx(
        "flex w-full items-center gap-2.5 rounded-xs px-2.5 py-1.5 text-left hover:bg-hover",
        chosen && "bg-accent-soft hover:bg-accent-soft",
      )}
    >
      <Words title={title} detail={detail} />
      {chosen ? <CornerDownRight size={15} className="shrink-0 text-accent" /> : null}
    </RadioGroup.Item>
  );
}

function Words({ title, detail }: { readonly title: string; readonly detail: string }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate text-sm">{title}</span>
      <span className="block truncate text-xs text-text-3">{detail}</span>
    </span>
  );
}
