import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Folder, GitBranch } from "lucide-react";
import { type KeyboardEvent, useDeferredValue, useId, useState } from "react";
import { api, sentence } from "../data/api.ts";
import { cx } from "../lib/cx.ts";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";

/** What the machine says of a folder. */
export function useInspected(nodeId: string, path: string, online: boolean) {
  return useQuery({
    queryKey: ["inspect", nodeId, path],
    queryFn: ({ signal }) => api.nodes.inspectPath(nodeId, path, signal),
    enabled: online && nodeId !== "" && path.trim() !== "",
    staleTime: 5_000,
    retry: false,
  });
}

/** A folder on the chosen machine, completed as it is typed by what is there. */
export function FolderField({
  nodeId,
  online,
  value,
  onChange,
  error,
}: {
  readonly nodeId: string;
  readonly online: boolean;
  readonly value: string;
  readonly onChange: (path: string) => void;
  readonly error: string | undefined;
}) {
  const listId = useId();
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const prefix = useDeferredValue(value);
  const found = useQuery({
    queryKey: ["paths", nodeId, prefix],
    queryFn: ({ signal }) => api.nodes.completePath(nodeId, prefix === "" ? "~/" : prefix, signal),
    enabled: open && online && nodeId !== "",
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    retry: false,
  });
  const inspected = useInspected(nodeId, prefix, online);
  const folders = (found.data?.folders ?? []).filter((folder) => folder !== value);
  const shown = open && folders.length > 0;

  const choose = (folder: string) => {
    onChange(folder);
    setAt(-1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const folder = folders[at];
    if (event.key === "ArrowDown" && shown) setAt(Math.min(at + 1, folders.length - 1));
    else if (event.key === "ArrowUp" && shown) setAt(Math.max(at - 1, -1));
    else if (event.key === "Enter" && shown && folder !== undefined) choose(folder);
    // Tab completes, as a shell does, as long as there is something to complete.
    else if (event.key === "Tab" && !event.shiftKey && shown && folders[Math.max(at, 0)] !== undefined && at >= 0)
      choose(folders[at] ?? value);
    else if (event.key === "Escape" && shown) setOpen(false);
    else return;
    event.preventDefault();
  };
  const missing = inspected.data?.exists === false ? "There is no such folder on this machine." : undefined;
  const forbidden = inspected.data?.allowed === false ? "This machine does not allow work in that folder." : undefined;
  return (
    <div className="relative">
      <Field
        label="Folder"
        error={error ?? (open ? undefined : (forbidden ?? missing))}
        hint={
          !online ? (
            "The machine is away: the path is checked when it is back."
          ) : inspected.data?.git != null ? (
            <span className="flex items-center gap-1.5">
              <GitBranch size={13} className="shrink-0" />
              <span className="truncate">
                Git checkout{inspected.data.git.branch === null ? "" : ` on ${inspected.data.git.branch}`}
                {inspected.data.git.dirty ? ", with uncommitted changes" : ""}
              </span>
            </span>
          ) : inspected.data?.exists === true ? (
            "Not a git checkout"
          ) : found.error === null ? (
            "Where the agent works. ~ is the home folder there."
          ) : (
            sentence(found.error)
          )
        }
      >
        {(ids) => (
          <Input
            {...ids}
            role="combobox"
            aria-expanded={shown}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={at >= 0 ? `${listId}-${at}` : undefined}
            value={value}
            placeholder="~/projects/…"
            className="font-mono text-[12.5px]"
            onFocus={() => setOpen(true)}
            onBlur={() => setOpen(false)}
            onChange={(event) => {
              onChange(event.target.value);
              setOpen(true);
              setAt(-1);
            }}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      <div
        id={listId}
        role="listbox"
        aria-label="Folders"
        hidden={!shown}
        className="absolute top-[calc(26px+var(--control))] z-30 max-h-64 w-full overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-lg"
      >
        {folders.map((folder, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keyboard is the combobox's
          <div
            key={folder}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === at}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(folder)}
            className={cx(
              "flex h-8 cursor-default items-center gap-2 rounded-xs px-2 font-mono text-[12.5px] hover:bg-hover",
              index === at && "bg-active",
            )}
          >
            <Folder size={14} className="shrink-0 text-text-3" />
            <span className="truncate">{folder}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
