import { Compass } from "lucide-react";
import { Link } from "react-router";
import { useTitle } from "../lib/useTitle.ts";
import { buttonClass } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";

/** An address that leads nowhere. */
export function NotFound() {
  useTitle("Not found");
  return (
    <EmptyState
      icon={<Compass size={20} />}
      title="There is no page here"
      action={
        <Link to="/" className={buttonClass("secondary")}>
          Go to the inbox
        </Link>
      }
    >
      The address may be old, or not whole.
    </EmptyState>
  );
}
