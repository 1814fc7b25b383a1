import type { AgentProfile } from "@reprise/protocol";
import { useState } from "react";
import { api } from "../data/api.ts";
import { keys, queryClient } from "../data/queries.ts";
import { useBusy } from "../lib/useBusy.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog, DialogActions } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { Input, Select, Textarea } from "../ui/Input.tsx";
import { fromForm, isAutoResume, type ProfileForm, toForm } from "./profile-form.ts";

/** Fields that show their own problem. */
const SHOWN: ReadonlySet<string> = new Set([
  "name",
  "agent_kind",
  "command",
  "args",
  "env",
  "model",
  "mode",
  "turn_limit_s",
]);

/** Makes or changes an agent profile. */
export function ProfileDialog({
  profile,
  onClose,
}: {
  readonly profile: AgentProfile | null;
  readonly onClose: () => void;
}) {
  const [form, setForm] = useState(() => toForm(profile));
  const [problem, setProblem] = useState<{ readonly field: string; readonly message: string } | null>(null);
  const { busy, run } = useBusy<"save">();
  const set = (part: Partial<ProfileForm>) => setForm((was) => ({ ...was, ...part }));
  const errorOf = (field: string) => (problem?.field === field ? problem.message : undefined);

  const save = async () => {
    const result = fromForm(form, profile);
    if (!result.ok) {
      setProblem(result);
      return;
    }
    setProblem(null);
    const done = await run("save", async () => {
      if (profile === null) await api.profiles.create(result.body);
      else await api.profiles.update(profile.id, result.body);
      await queryClient.invalidateQueries({ queryKey: keys.profiles });
    });
    if (done) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={profile === null ? "New profile" : `Edit ${profile.name}`}
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
        <Field label="Name" error={errorOf("name") ?? errorOf("agent_kind")}>
          {(ids) => (
            <Input {...ids} autoFocus value={form.name} onChange={(event) => set({ name: event.target.value })} />
          )}
        </Field>
        <Field
          label="Command"
          error={errorOf("command")}
          hint="It speaks the Agent Client Protocol on its standard input and output."
        >
          {(ids) => (
            <Input
              {...ids}
              className="font-mono"
              value={form.command}
              placeholder="claude-agent-acp"
              onChange={(event) => set({ command: event.target.value })}
            />
          )}
        </Field>
        <Field label="Arguments" optional error={errorOf("args")} hint="One a line.">
          {(ids) => (
            <Textarea
              {...ids}
              rows={2}
              className="min-h-14 font-mono"
              value={form.args}
              onChange={(event) => set({ args: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Environment"
          optional
          error={errorOf("env")}
          hint="NAME=value, one a line. They are stored on the control plane and sent to the machine."
        >
          {(ids) => (
            <Textarea
              {...ids}
              rows={2}
              className="min-h-14 font-mono"
              value={form.env}
              onChange={(event) => set({ env: event.target.value })}
            />
          )}
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Model" optional error={errorOf("model")}>
            {(ids) => <Input {...ids} value={form.model} onChange={(event) => set({ model: event.target.value })} />}
          </Field>
          <Field label="Mode" optional error={errorOf("mode")}>
            {(ids) => <Input {...ids} value={form.mode} onChange={(event) => set({ mode: event.target.value })} />}
          </Field>
          <Field label="Resume by itself">
            {(ids) => (
              <Select
                {...ids}
                value={form.auto_resume}
                onChange={(event) => {
                  if (isAutoResume(event.target.value)) set({ auto_resume: event.target.value });
                }}
              >
                <option value="interrupted">After an interruption</option>
                <option value="always">After any end but a stop</option>
                <option value="never">Never</option>
              </Select>
            )}
          </Field>
          <Field label="Turn limit" optional error={errorOf("turn_limit_s")} hint="In minutes.">
            {(ids) => (
              <Input
                {...ids}
                inputMode="numeric"
                value={form.turn_limit_min}
                placeholder="none"
                onChange={(event) => set({ turn_limit_min: event.target.value })}
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
          {profile === null ? "Create profile" : "Save"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
