import { Switch } from "radix-ui";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";

/** A folder and branch of its own for the session. */
export function WorktreeField({
  root,
  checked,
  branch,
  error,
  onCheck,
  onBranch,
}: {
  readonly root: string;
  readonly checked: boolean;
  readonly branch: string;
  readonly error: string | undefined;
  readonly onCheck: (checked: boolean) => void;
  readonly onBranch: (branch: string) => void;
}) {
  return (
    <div className="flex flex-col gap-4 rounded-md border border-line bg-surface px-4 py-3">
      <label htmlFor="worktree" className="flex items-center gap-3">
        <span className="min-w-0 flex-1">
          <span className="block text-sm font-medium">New git worktree</span>
          <span className="block text-xs text-text-3">
            A folder and branch of its own, so that it disturbs nothing in {root}.
          </span>
        </span>
        <Switch.Root
          id="worktree"
          checked={checked}
          onCheckedChange={onCheck}
          className="h-5 w-9 shrink-0 rounded-full bg-line-strong transition-colors data-[state=checked]:bg-accent-solid"
        >
          <Switch.Thumb className="block size-4 translate-x-0.5 rounded-full bg-white shadow-sm transition-transform duration-100 data-[state=checked]:translate-x-4.5" />
        </Switch.Root>
      </label>
      {checked ? (
        <Field label="Branch" error={error}>
          {(ids) => (
            <Input
              {...ids}
              value={branch}
              className="font-mono text-[12.5px]"
              onChange={(event) => onBranch(event.target.value)}
            />
          )}
        </Field>
      ) : null}
    </div>
  );
}
