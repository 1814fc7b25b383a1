import type { ReactNode } from "react";
import { Field } from "../ui/Field.tsx";
import { Input, Select, Textarea } from "../ui/Input.tsx";
import type { ProfileForm } from "./profile-form.ts";

type TextField = "name" | "command" | "args" | "env" | "resume_args" | "prompt_args" | "model" | "mode";

/** A form's state, as its fields use it. */
export interface ProfileFields {
  readonly form: ProfileForm;
  readonly set: (part: Partial<ProfileForm>) => void;
  readonly write: (name: TextField, text: string) => void;
  readonly errorOf: (field: string) => string | undefined;
}

interface TextProps {
  readonly fields: ProfileFields;
  readonly name: TextField;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly optional?: boolean;
}

/** A field of one line. */
export function Line({
  fields,
  name,
  label,
  hint,
  optional = false,
  mono = false,
  placeholder,
  error = fields.errorOf(name),
}: TextProps & { readonly mono?: boolean; readonly placeholder?: string; readonly error?: string | undefined }) {
  return (
    <Field label={label} hint={hint} optional={optional} error={error}>
      {(ids) => (
        <Input
          {...ids}
          className={mono ? "font-mono" : undefined}
          value={fields.form[name]}
          placeholder={placeholder}
          onChange={(event) => fields.write(name, event.target.value)}
        />
      )}
    </Field>
  );
}

/** A field of words or settings, one a line. */
export function Lines({ fields, name, label, hint, optional = true }: TextProps) {
  return (
    <Field label={label} hint={hint} optional={optional} error={fields.errorOf(name)}>
      {(ids) => (
        <Textarea
          {...ids}
          rows={1}
          className="field-sizing-content min-h-(--control)! font-mono"
          value={fields.form[name]}
          onChange={(event) => fields.write(name, event.target.value)}
        />
      )}
    </Field>
  );
}

/** One of a few. */
export function Choice({
  label,
  value,
  options,
  hint,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: Readonly<Record<string, string>>;
  readonly hint?: ReactNode;
  readonly onChange: (value: string) => void;
}) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <Select {...ids} value={value} onChange={(event) => onChange(event.target.value)}>
          {Object.entries(options).map(([id, words]) => (
            <option key={id} value={id}>
              {words}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
