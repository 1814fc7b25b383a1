import { CircleAlert } from "lucide-react";
import { sentence } from "../data/api.ts";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";

/** A panel that got no answer: why, and another try. */
export function PanelError({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return (
    <EmptyState
      icon={<CircleAlert size={20} className="text-red" />}
      title="No answer"
      action={<Button onClick={onRetry}>Retry</Button>}
    >
      <span className="wrap-anywhere">{sentence(error)}</span>
    </EmptyState>
  );
}
