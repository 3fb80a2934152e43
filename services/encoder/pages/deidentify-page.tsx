import { NOT_TRANSLATED } from '../../../platform/pages/kept-from-browser.js';
import { Notice } from '../../../platform/pages/notice.js';
import { type FormAction, formAction, type Page, page, type Shown } from '../../http/pages/page.js';
import type { DeidentifiedDocument } from '../../institution/deidentify/deidentify.js';
import type { EncoderService } from '../encoder-service.js';
import { DeidentifyFields } from './deidentify-fields.js';
import { FoundByType } from './found-by-type.js';
import { MarkedText } from './marked-text.js';
import { type NoteForm, parseNote, thresholdIn } from './note-form.js';
import { SCRIPT } from './script.js';

const PATH = '/';

/** Where a note is pasted or dropped; without a pipeline, the way to what there is. */
export function deidentifyPage(service: EncoderService): Page {
  return page({
    path: PATH,
    show: () => (service.options.models.identities.pipeline ? shown(service) : '/share'),
  });
}

/** What the pipeline finds in a note, and the note without it. The note is not kept. */
export function deidentifyForm(service: EncoderService): FormAction {
  return formAction({
    path: PATH,
    form: parseNote,
    submit: async ({ form, signal }) => {
      // A browser sends each end of a line as two characters.
      const text = form.text.replaceAll('\r\n', '\n');
      const threshold = thresholdIn(form) ?? service.options.threshold;
      const { treatment, language } = form;
      const note = { id: 'note', text, spans: [] };
      const cleaned = await service.deidentify(note, { treatment, language, threshold }, signal);
      return shown(service, { ...form, text }, cleaned);
    },
  });
}

function shown(service: EncoderService, form?: NoteForm, cleaned?: DeidentifiedDocument): Shown {
  return {
    title: 'De-identify a note',
    scripts: [SCRIPT],
    body: (
      <>
        {form && cleaned && <Result text={form.text} cleaned={cleaned} />}
        <DeidentifyFields
          action={PATH}
          form={form}
          threshold={service.options.threshold}
          language={service.surrogateLanguage}
        />
      </>
    ),
  };
}

interface ResultProps {
  readonly text: string;
  readonly cleaned: DeidentifiedDocument;
}

function Result({ text, cleaned }: ResultProps) {
  return (
    <>
      {cleaned.found.length === 0 ? (
        <Notice>Nothing was found. That does not mean that nothing is there: read it.</Notice>
      ) : (
        <FoundByType found={cleaned.found} />
      )}
      <div class="beside">
        <section aria-labelledby="found">
          <h2 id="found">What was found</h2>
          <MarkedText text={text} spans={cleaned.found} />
        </section>
        <section aria-labelledby="cleaned">
          <h2 id="cleaned">De-identified</h2>
          <div class="text" id="cleaned-text" {...NOT_TRANSLATED}>
            {cleaned.text}
          </div>
          <p class="actions">
            <button type="button" class="quiet" data-copies="cleaned-text" hidden>
              Copy
            </button>
            <span role="status" />
          </p>
        </section>
      </div>
    </>
  );
}
