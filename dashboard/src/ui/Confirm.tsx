import type { ReactNode } from "react";
import { Button } from "./Button.tsx";
import { Dialog, DialogActions } from "./Dialog.tsx";

/** Asks before something is lost, and says what. */
export function Confirm({
  open,
  title,
  lost,
  action,
  busy = false,
  onConfirm,
  onClose,
}: {
  readonly open: boolean;
  readonly title: string;
  readonly lost: ReactNode;
  readonly action: string;
  readonly busy?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  return (
    <Dialog open={open} onClose={onClose} title={title} description={lost}>
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button variant="danger" busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
