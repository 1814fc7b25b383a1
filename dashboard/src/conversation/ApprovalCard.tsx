import type { Approval } from "@reprise/protocol";
import { Check, Clock, ShieldQuestion, X } from "lucide-react";
import { useCallback, useState } from "react";
import { cx } from "../lib/cx.ts";
import { useHotkeys } from "../lib/hotkeys.ts";
import { Button } from "../ui/Button.tsx";
import { Kbd } from "../ui/Kbd.tsx";
import { readInput } from "./input.ts";
import { ToolContents } from "./ToolContents.tsx";

type Option = Approval["options"][number];

function isAllow(option: Option): boolean {
  return option.kind === "allow_once" || option.kind === "allow_always";
}

/** The first that allows once: what Enter and "Approve" in the inbox choose. */
export function primaryOption(approval: Approval): Option | undefined {
  return approval.options.find((option) => option.kind === "allow_once") ?? approval.options.find(isAllow);
}

/** What the agent asks leave for, with the options that it offers. */
export function ApprovalCard({
  approval,
  cwd,
  hot,
  focus = false,
  inDialog = false,
  onAnswer,
}: {
  readonly approval: Approval;
  readonly cwd: string | null;
  /** Whether number keys answer this one: the first that is pending. */
  readonly hot: boolean;
  /** Whether the keyboard goes to its first choice at once. */
  readonly focus?: boolean;
  readonly inDialog?: boolean;
  readonly onAnswer: (optionId: string) => Promise<void>;
}) {
  const [chosen, setChosen] = useState<string | null>(null);
  const pending = approval.state === "pending";
  const answer = useCallback(
    (optionId: string) => {
      setChosen(optionId);
      void onAnswer(optionId).finally(() => setChosen(null));
    },
    [onAnswer],
  );
  useHotkeys(
    useCallback(
      (key) => {
        const option = approval.options[Number(key) - 1];
        if (!hot || !pending || option === undefined) return false;
        answer(option.option_id);
        return true;
      },
      [approval.options, hot, pending, answer],
    ),
    inDialog,
  );
  if (approval.state === "answered" || approval.state === "expired") return <Settled approval={approval} />;
  const busy = chosen ?? (approval.state === "answering" ? approval.option_id : null);
  const primary = primaryOption(approval);
  const input = saysMore(approval) ? approval.input : null;
  return (
    <section
      aria-label={`Approval: ${approval.title}`}
      data-testid="approval"
      className="my-3 overflow-hidden rounded-lg border border-amber-line bg-surface shadow-md"
    >
      <div className="flex items-start gap-2.5 border-b border-amber-line bg-amber-soft px-4 py-3">
        <ShieldQuestion size={18} className="mt-0.5 shrink-0 text-amber" />
        <div className="min-w-0 flex-1">
          <p className="text-xs font-medium text-amber">Needs your approval</p>
          <Title title={approval.title} />
        </div>
      </div>
      {approval.content.length > 0 || input !== null ? (
        <div className="max-h-96 overflow-y-auto px-4 pt-3">
          <ToolContents textLabel="What it is for" content={approval.content} input={input} cwd={cwd} />
        </div>
      ) : null}
      <div className="flex flex-wrap items-center gap-2 px-4 py-3">
        {approval.options.map((option, index) => (
          <Button
            key={option.option_id}
            data-autofocus={(focus && option.option_id === primary?.option_id) || undefined}
            variant={option.option_id === primary?.option_id ? "primary" : "secondary"}
            busy={busy === option.option_id}
            disabled={busy !== null && busy !== option.option_id}
            onClick={() => answer(option.option_id)}
            className="max-md:w-full"
          >
            <span className="max-w-72 truncate">{option.name}</span>
            {hot && option.option_id !== primary?.option_id ? (
              <span className="max-md:hidden">
                <Kbd keys={String(index + 1)} />
              </span>
            ) : null}
            {hot && option.option_id === primary?.option_id ? (
              <span className="text-[11px] opacity-70 max-md:hidden">{index + 1}</span>
            ) : null}
          </Button>
        ))}
        {approval.state === "answering" ? (
          <span role="status" className="text-xs text-text-3">
            Your answer is on its way to the machine.
          </span>
        ) : null}
      </div>
    </section>
  );
}

/** Whether the input tells what the title does not. */
function saysMore({ title, input }: Approval): boolean {
  const given = readInput(input);
  return given !== null && (given.note !== null || given.text !== title.replaceAll("`", "").trim());
}

/** What is asked; agents put commands into backticks. */
function Title({ title }: { readonly title: string }) {
  const code = /^`(.+)`$/s.exec(title.trim())?.[1];
  return code === undefined ? (
    <p className="mt-0.5 font-medium wrap-anywhere">{title.replaceAll("`", "")}</p>
  ) : (
    <p className="mt-0.5 font-mono text-[0.93em] font-medium wrap-anywhere">{code}</p>
  );
}

function Settled({ approval }: { readonly approval: Approval }) {
  const option = approval.options.find((each) => each.option_id === approval.option_id);
  const expired = approval.state === "expired";
  const allowed = !expired && option !== undefined && isAllow(option);
  return (
    <div data-testid="approval" data-state={approval.state} className="flex min-h-7.5 items-center gap-2 text-sm">
      <span
        className={cx(
          "flex w-4 shrink-0 justify-center",
          expired ? "text-text-3" : allowed ? "text-green" : "text-red",
        )}
      >
        {expired ? <Clock size={15} /> : allowed ? <Check size={15} /> : <X size={15} />}
      </span>
      <span className="shrink-0 text-text-2">{expired ? "Expired" : (option?.name ?? "Dismissed")}</span>
      <span className="truncate text-text-3">
        {approval.title.replaceAll("`", "")}
        {expired ? " (its turn ended before it was answered)" : ""}
      </span>
    </div>
  );
}
