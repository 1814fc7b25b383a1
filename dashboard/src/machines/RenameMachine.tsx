import type { NodeSummary } from "@reprise/protocol";
import { useState } from "react";
import { api } from "../data/api.ts";
import { keys, queryClient } from "../data/queries.ts";
import { useBusy } from "../lib/useBusy.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog, DialogActions } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";

/** Gives a machine the name that people call it by. */
export function RenameMachine({ node, onClose }: { readonly node: NodeSummary; readonly onClose: () => void }) {
  const [name, setName] = useState(node.name);
  const { busy, run } = useBusy<"save">();
  const save = async () => {
    if (name.trim() === "") return;
    const done = await run("save", async () => {
      await api.nodes.rename(node.id, name.trim());
      await queryClient.invalidateQueries({ queryKey: keys.nodes });
    });
    if (done) onClose();
  };
  return (
    <Dialog open title={`Rename ${node.name}`} onClose={onClose}>
      <form
        className="px-5 pt-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field label="Name" hint={`Its host name is ${node.hostname}.`}>
          {(ids) => (
            <Input {...ids} autoFocus value={name} maxLength={80} onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
      </form>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" busy={busy === "save"} disabled={name.trim() === ""} onClick={() => void save()}>
          Save
        </Button>
      </DialogActions>
    </Dialog>
  );
}
