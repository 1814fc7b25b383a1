import type { SessionStatus } from "@reprise/protocol";
import { useState } from "react";
import { api } from "../data/api.ts";
import { useBusy } from "../lib/useBusy.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog, DialogActions } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";

/** Gives a session another title. */
export function RenameDialog({ status, onClose }: { readonly status: SessionStatus; readonly onClose: () => void }) {
  const [title, setTitle] = useState(status.title);
  const { busy, run } = useBusy<"save">();
  const save = () => {
    if (title.trim() === "") return;
    void run("save", () => api.sessions.rename(status.session_id, title.trim())).then((done) => done && onClose());
  };
  return (
    <Dialog open title="Rename session" onClose={onClose}>
      <form
        className="px-5 pt-4"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Field label="Title">
          {(ids) => (
            <Input
              {...ids}
              autoFocus
              value={title}
              maxLength={200}
              onChange={(event) => setTitle(event.target.value)}
            />
          )}
        </Field>
      </form>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" busy={busy === "save"} disabled={title.trim() === ""} onClick={save}>
          Save
        </Button>
      </DialogActions>
    </Dialog>
  );
}
