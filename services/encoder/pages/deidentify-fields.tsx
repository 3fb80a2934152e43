import type { VNode } from 'preact';
import type { SurrogateLanguage } from '../../../models/surrogates/surrogate-language.js';
import { NOT_SENT_OR_KEPT } from '../../../platform/pages/kept-from-browser.js';
import { thresholdPercentage } from '../../../platform/threshold-text.js';
import { type NoteForm, PERCENTAGE } from './note-form.js';

const TREATMENT_LABELS = {
  tag: 'its type, as [PATIENT]',
  mask: 'asterisks',
  surrogate: 'something made up that reads alike',
} as const;
const LANGUAGES = { en: 'English', es: 'Spanish' } as const;

interface FieldsProps {
  readonly action: string;
  /** What was sent last, to change it. */
  readonly form?: NoteForm | undefined;
  /** Of the service, as is the language. */
  readonly threshold?: number | undefined;
  readonly language?: SurrogateLanguage | undefined;
}

/** Where a note is put, and what becomes of its PHI. */
export function DeidentifyFields({ action, form, threshold, language }: FieldsProps): VNode {
  return (
    <form method="post" action={action}>
      <label for="note">Note</label>
      <p class="hint" id="note-hint">
        Paste it, or drop a text file here. It goes to this encoder alone, which does not keep it.
      </p>
      <textarea
        id="note"
        name="text"
        rows={12}
        aria-describedby="note-hint"
        data-takes-files
        {...NOT_SENT_OR_KEPT}
      >
        {form?.text ?? ''}
      </textarea>
      <p role="status" class="hint" />
      <div class="fields">
        <Choice
          label="PHI becomes"
          name="treatment"
          options={TREATMENT_LABELS}
          value={form?.treatment}
        />
        <Choice
          label="Language of what is made up"
          name="language"
          options={LANGUAGES}
          value={form?.language ?? language}
        />
        <label>
          PHI from this probability on, in %
          <input
            name="threshold"
            inputMode="decimal"
            pattern={PERCENTAGE}
            placeholder={
              threshold === undefined ? 'the most likely' : `${thresholdPercentage(threshold)} %`
            }
            value={form?.threshold ?? ''}
          />
        </label>
      </div>
      <div class="actions">
        <button type="submit">De-identify</button>
      </div>
    </form>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly options: Readonly<Record<string, string>>;
  readonly value?: string | undefined;
}

function Choice({ label, name: field, options, value }: ChoiceProps): VNode {
  return (
    <label>
      {label}
      <select name={field}>
        {Object.entries(options).map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
