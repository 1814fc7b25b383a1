import type { AgentProfile } from "@reprise/protocol";
import { api } from "../data/api.ts";
import { keys, queryClient } from "../data/queries.ts";
import { useBusy } from "../lib/useBusy.ts";
import { Confirm } from "../ui/Confirm.tsx";

interface Question {
  readonly profile: AgentProfile;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks before a profile is deleted. */
export function DeleteProfile({ profile, open, onClose }: Question) {
  const { busy, ask } = useAnswer(() => api.profiles.remove(profile.id), onClose);
  const back = profile.built_in ? " It can be brought back as it came." : "";
  return (
    <Confirm
      open={open}
      title={`Delete the profile ${profile.name}?`}
      lost={`Its command, arguments and variables are lost. Sessions that began with it say so, and need another profile to go on.${back}`}
      action="Delete profile"
      busy={busy}
      onClose={onClose}
      onConfirm={ask}
    />
  );
}

/** Asks before a person's changes to a built-in profile are given up. */
export function ResetProfile({ profile, open, onClose }: Question) {
  const { busy, ask } = useAnswer(() => api.profiles.reset(profile.id), onClose);
  return (
    <Confirm
      open={open}
      title={`Reset ${profile.name} to its default?`}
      lost="What you changed of it is lost: its name, command, arguments, variables and all else. Sessions keep how their agent was started."
      action="Reset to default"
      busy={busy}
      onClose={onClose}
      onConfirm={ask}
    />
  );
}

function useAnswer(work: () => Promise<unknown>, onClose: () => void) {
  const { busy, run } = useBusy<"ask">();
  const ask = () =>
    void run("ask", async () => {
      await work();
      await queryClient.invalidateQueries({ queryKey: keys.profiles });
    }).then((done) => done && onClose());
  return { busy: busy !== null, ask };
}
