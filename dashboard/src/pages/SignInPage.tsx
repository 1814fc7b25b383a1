import { useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { api, sentence } from "../data/api.ts";
import { keys } from "../data/queries.ts";
import { useTitle } from "../lib/useTitle.ts";
import { Logo } from "../shell/Logo.tsx";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";

/** Only paths of our own: a link must not lead elsewhere after the sign-in. */
function safePath(to: string | null): string {
  return to?.startsWith("/") && !to.startsWith("//") ? to : "/";
}

/** A whole link, or the token alone: people paste what they have. */
export function tokenOf(text: string): string {
  const trimmed = text.trim();
  return trimmed.slice(trimmed.lastIndexOf("#") + 1);
}

/** The way in: the sign-in link that `npm start` prints leads here. */
export function SignInPage() {
  useTitle("Sign in");
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const used = useRef<string | null>(null);

  const signIn = async (token: string) => {
    if (token === "") return;
    setBusy(true);
    setError(undefined);
    try {
      await api.account.signIn(token);
      await client.fetchQuery({ queryKey: keys.me, queryFn: () => api.account.me(), staleTime: 0 });
      await navigate(safePath(params.get("to")), { replace: true });
    } catch (cause) {
      setError(sentence(cause));
      setBusy(false);
    }
  };
  const linked = location.hash === "" ? null : tokenOf(location.hash);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link's token works once, so it is used once
  useEffect(() => {
    if (linked === null || used.current === linked) return;
    used.current = linked;
    // Out of the address bar, the history and what is copied from there.
    history.replaceState(null, "", location.pathname);
    void signIn(linked);
  }, [linked]);

  return (
    <main className="flex h-full flex-col items-center justify-center px-6">
      <div className="w-full max-w-88">
        <div className="mb-8 flex flex-col items-center gap-4">
          <Logo size={44} />
          <div className="text-center">
            <h1 className="text-xl font-semibold">Sign in to Reprise</h1>
            <p className="mt-1.5 text-sm text-pretty text-text-3">
              Open the link that{" "}
              <code className="rounded-xs bg-active px-1 py-0.5 text-[0.92em] text-text-2">npm start</code> prints, or
              paste it here.
            </p>
          </div>
        </div>
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            void signIn(tokenOf(text));
          }}
        >
          <Field label="Sign-in link" error={error}>
            {(ids) => (
              <Input
                {...ids}
                autoFocus
                value={text}
                placeholder={`${location.origin}/sign-in…`}
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
          <Button
            type="submit"
            variant="primary"
            busy={busy}
            icon={<KeyRound size={15} />}
            disabled={!busy && text.trim() === ""}
          >
            Sign in
          </Button>
        </form>
        <p className="mt-6 text-center text-xs text-pretty text-text-3">
          A link works once. Your agents go on running whether you are signed in or not.
        </p>
      </div>
    </main>
  );
}
