import type { SessionStatus } from "@reprise/protocol";
import { useState } from "react";
import { Link } from "react-router";
import { api } from "../data/api.ts";
import { useProfiles } from "../data/queries.ts";
import { useBusy } from "../lib/useBusy.ts";
import { Button, buttonClass } from "../ui/Button.tsx";
import { Dialog, DialogActions } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { Select } from "../ui/Input.tsx";
import { SkeletonRows } from "../ui/Skeleton.tsx";

/** Another profile of the same agent takes the place of the deleted one; the conversation stays the agent's own. */
export function ChooseProfile({ status, onClose }: { readonly status: SessionStatus; readonly onClose: () => void }) {
  const profiles = useProfiles().data;
  // What was read before the deletion may still hold the deleted one.
  const fitting =
    profiles?.filter(
      (p) => p.agent_kind === status.agent_kind && p.driver === status.driver && p.id !== status.agent_profile_id,
    ) ?? [];
  const [chosen, setChosen] = useState<string>();
  const { busy, run } = useBusy<"choose">();
  const agent_profile_id = chosen ?? fitting[0]?.id;
  if (profiles === undefined) {
    return (
      <Dialog open title="Choose a profile" onClose={onClose}>
        <div className="px-5 py-4">
          <SkeletonRows rows={1} className="h-9" />
        </div>
      </Dialog>
    );
  }
  if (agent_profile_id === undefined) {
    return (
      <Dialog
        open
        title="Choose a profile"
        description={`No profile of ${status.agent_name} is left. Make one in Settings, or go on in a new session.`}
        onClose={onClose}
      >
        <DialogActions>
          <Link to={`/new?from=${status.session_id}`} className={buttonClass("secondary")}>
            Create new session
          </Link>
          <Link to="/settings/agents" className={buttonClass("primary")}>
            Settings
          </Link>
        </DialogActions>
      </Dialog>
    );
  }
  const choose = () =>
    void run("choose", () => api.sessions.settings(status.session_id, { agent_profile_id })).then(
      (done) => done && onClose(),
    );
  return (
    <Dialog open title="Choose a profile" onClose={onClose}>
      <div className="px-5 pt-4">
        <Field
          label="Profile"
          hint="The session keeps how its agent is started; the profile says what else holds for it."
        >
          {(ids) => (
            <Select {...ids} value={agent_profile_id} onChange={(event) => setChosen(event.target.value)}>
              {fitting.map((profile) => (
                <option key={profile.id} value={profile.id}>
                  {profile.name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" busy={busy === "choose"} onClick={choose}>
          Use this profile
        </Button>
      </DialogActions>
    </Dialog>
  );
}
