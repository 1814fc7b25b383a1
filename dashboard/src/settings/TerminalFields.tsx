import { Choice, Lines, type ProfileFields } from "./fields.tsx";
import { isPromptTransport } from "./profile-form.ts";

/** What only a terminal agent has: how it is given a conversation, and its first prompt. */
export function TerminalFields({ fields }: { readonly fields: ProfileFields }) {
  const { form, set } = fields;
  return (
    <>
      <Lines
        fields={fields}
        name="resume_args"
        label="Resume args"
        hint={
          form.resume_args.trim() === ""
            ? "None: this agent can't resume. One a line; the conversation's id would go last."
            : "One a line; the conversation's id goes last."
        }
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Choice
          label="First prompt"
          value={form.prompt_transport}
          options={{ argv: "On its command line", stdin: "Typed once it is ready" }}
          onChange={(value) => {
            if (isPromptTransport(value)) set({ prompt_transport: value });
          }}
        />
        {form.prompt_transport === "argv" ? (
          <Lines
            fields={fields}
            name="prompt_args"
            label="Before the prompt"
            hint="Such as --prompt, where it needs one."
          />
        ) : null}
      </div>
    </>
  );
}
