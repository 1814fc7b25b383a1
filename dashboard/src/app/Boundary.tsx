import { Unplug } from "lucide-react";
import { Component, type ReactNode } from "react";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";

/** Keeps a page's fault to that page: a part of it could not be fetched (an update, most often), or it has a bug. */
export class Boundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    console.error("A page failed.", error);
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <EmptyState
        icon={<Unplug size={20} />}
        title="This page failed"
        action={
          <Button variant="primary" onClick={() => location.reload()}>
            Reload
          </Button>
        }
      >
        Most often a new version has been put in place meanwhile: reloading fetches it. Your agents are not touched by
        it.
      </EmptyState>
    );
  }
}
