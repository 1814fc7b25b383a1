import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "./IconButton.tsx";
import { toast } from "./toast.ts";

/** How long the tick stands before the button offers to copy again. */
const COPIED_MS = 1_600;

/** Copies a text, and says so in its own place. */
export function CopyButton({
  text,
  label = "Copy",
  className,
}: {
  readonly text: string;
  readonly label?: string;
  readonly className?: string;
}) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => toast("The browser does not allow copying here. Select the text and copy it by hand.", { tone: "red" }),
    );
  };
  return (
    <IconButton label={copied ? "Copied" : label} size="sm" className={className} onClick={copy}>
      {copied ? <Check size={14} className="text-green" /> : <Copy size={14} />}
    </IconButton>
  );
}
