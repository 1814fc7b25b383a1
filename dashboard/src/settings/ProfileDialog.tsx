import { type AgentProfile, findBuiltIn } from "@reprise/protocol";
import { useState } from "react";
import { api } from "../data/api.ts";
import { keys, queryClient } from "../data/queries.ts";
import { useBusy } from "../lib/useBusy.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog, DialogActions } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { CommandLinePreview } from "./CommandLinePreview.tsx";
import { Choice, Line, Lines, type ProfileFields } from "./fields.tsx";
import { fromForm, isAutoResume, isDriver, toChange, toForm } from "./profile-form.ts";
import { TerminalFields } from "./TerminalFields.tsx";

/** Fields that show their own problem; that of an agent's kind is its name's. */
const SHOWN: ReadonlySet<string> = new Set([
  "name",
  "agent_kind",
  "command",
  "args",
  "env",
  "resume_args",
  "prompt_args",
  "model",
  "mode",
  "turn_limit_s",
]);

/** Makes or changes an agent profile, or makes a copy of one. */
export function ProfileDialog({
  profile,
  copy,
  onClose,
}: {
  readonly profile: AgentProfile | null;
  readonly copy: boolean;
  readonly onClose: () => void;
}) {
  const changed = copy ? null : profile;
  const [form, setForm] = useState(() => ({
    ...toForm(profile),
    ...(copy ? { name: `${profile?.name ?? ""} (copy)` } : {}),
  }));
  const [problem, setProblem] = useState<{ readonly field: string; readonly message: string } | null>(null);
  const { busy, run } = useBusy<"save">();
  const fields: ProfileFields = {
    form,
    set: (part) => setForm((was) => ({ ...was, ...part })),
    write: (name, text) => setForm((was) => ({ ...was, [name]: text })),
    errorOf: (field) => (problem?.field === field ? problem.message : undefined),
  };

  const save = async () => {
    const result = fromForm(form, profile?.agent_kind ?? null);
    if (!result.ok) {
      setProblem(result);
      return;
    }
    setProblem(null);
    const done = await run("save", async () => {
      if (changed === null) await api.profiles.create(result.body);
      else await api.profiles.update(changed.id, toChange(result.body));
      await queryClient.invalidateQueries({ queryKey: keys.profiles });
    });
    if (done) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={changed === null ? "New profile" : `Edit ${changed.name}`}
      className="w-[min(560px,calc(100vw-32px))]"
    >
      <form
        aria-label="Profile"
        className="flex min-h-0 flex-col gap-4 overflow-y-auto px-5 pt-4 pb-1"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Line fields={fields} name="name" label="Name" error={fields.errorOf("name") ?? fields.errorOf("agent_kind")} />
        {changed === null || findBuiltIn(changed.id) === null ? <DriverField fields={fields} /> : null}
        <Line
          fields={fields}
          name="command"
          label="Command"
          mono
          placeholder={form.driver === "acp" ? "claude-agent-acp" : "claude"}
          hint={
            form.driver === "acp"
              ? "It speaks the Agent Client Protocol on its standard input and output."
              : "It is started in your shell, in a terminal of its own."
          }
        />
        <Lines fields={fields} name="args" label="Arguments" hint="One a line." />
        {form.driver === "terminal" ? (
          <>
            <TerminalFields fields={fields} />
            <CommandLinePreview form={form} />
          </>
        ) : null}
        <Lines
          fields={fields}
          name="env"
          label="Environment"
          hint="NAME=value, one a line. They are stored on the control plane and sent to the machine."
        />
        <div className="grid gap-4 sm:grid-cols-2">
          {form.driver === "acp" ? (
            <>
              <Line fields={fields} name="model" label="Model" optional />
              <Line fields={fields} name="mode" label="Mode" optional />
            </>
          ) : null}
          <Choice
            label="Resume by itself"
            value={form.auto_resume}
            options={{
              interrupted: "After an interruption",
              always: "After any end but a stop",
              never: "Never",
            }}
            onChange={(value) => {
              if (isAutoResume(value)) fields.set({ auto_resume: value });
            }}
          />
          <Field label="Turn limit" optional error={fields.errorOf("turn_limit_s")} hint="In minutes.">
            {(ids) => (
              <Input
                {...ids}
                inputMode="numeric"
                value={form.turn_limit_min}
                placeholder="none"
                onChange={(event) => fields.set({ turn_limit_min: event.target.value })}
              />
            )}
          </Field>
        </div>
      </form>
      {problem === null || SHOWN.has(problem.field) ? null : (
        <p className="px-5 pt-3 text-sm text-red">
          {problem.field}: {problem.message}
        </p>
      )}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" busy={busy === "save"} onClick={() => void save()}>
          {changed === null ? "Create profile" : "Save"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function DriverField({ fields }: { readonly fields: ProfileFields }) {
  return (
    <Choice
      label="How it is run"
      value={fields.form.driver}
      options={{ acp: "Over ACP: its conversation is shown here", terminal: "In a terminal: its own screen is shown" }}
      onChange={(value) => {
        if (isDriver(value)) fields.set({ driver: value });
      }}
    />
  );
}
