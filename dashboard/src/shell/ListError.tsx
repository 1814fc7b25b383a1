import { CircleAlert } from "lucide-react";
import { sentence } from "../data/api.ts";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";

/** A list that could not be read: why, and a way to ask again. */
export function ListError({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  return (
    <EmptyState
      icon={<CircleAlert size={20} />}
      title="This could not be read"
      action={<Button onClick={onRetry}>Try again</Button>}
    >
      {sentence(error)}
    </EmptyState>
  );
}
