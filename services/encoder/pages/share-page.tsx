import { Notice } from '../../../platform/pages/notice.js';
import { TacetError } from '../../../proto/errors.js';
import { Type } from '../../../proto/typebox.js';
import { closedObject } from '../../../proto/typed-schema.js';
import { validator } from '../../../proto/validator.js';
import { limitText } from '../../http/pages/limit-text.js';
import { type FormAction, formAction, type Page, page } from '../../http/pages/page.js';
import type { EncoderService } from '../encoder-service.js';
import { LeftSoFar } from './left-so-far.js';

const PATH = '/share';

const parseInput = validator(
  closedObject({
    input: Type.String({ minLength: 1, maxLength: 4096 }),
    copies: Type.String({ pattern: '^[1-9][0-9]{0,2}$' }),
  }),
  'request-invalid',
  'the form',
);

/** Where the notes of a folder are looked at before anything of them leaves. */
export function sharePage(service: EncoderService): Page {
  return page({
    path: PATH,
    show: () => {
      const { home, input, limits, policy } = service.options;
      const isReplaced = limits.entities !== 'kept';
      return {
        title: 'What would leave',
        body: (
          <>
            <p>
              Notes leave as noisy vectors, shuffled, each sentence once unless the policy allows
              more.{' '}
              {isReplaced
                ? 'Every labelled entity is replaced before by a public one of its type that was drawn without looking at it: what leaves does not depend on what it was, unless the file parts sentences itself (CoNLL, TSV, WebAnno TSV, BioC by sentences) or does not say where entities stand (ASQ-PHI). The words around it are not hidden.'
                : `Entities are encoded as they are, ${limited(limits)}`}{' '}
              {(limits.keptTypes ?? []).length > 0 &&
                `Not so entities of ${limits.keptTypes?.join(', ')}: they are encoded as they are, ${limited(limits)} `}
              A dry run says what would leave and what would be withheld, and lets nothing out;
              where notes are so many that they are read in several portions, less may leave than it
              says.
            </p>
            {input === undefined ? (
              <Notice>
                This encoder reads no files: start it with <code>--input</code> and a folder.
              </Notice>
            ) : (
              <form method="post" action={PATH}>
                <label for="input">Folder or file</label>
                <p class="hint" id="input-hint">
                  Below the folder that this encoder was given; a dot is all of it.
                </p>
                <input id="input" name="input" required value="." aria-describedby="input-hint" />
                {isReplaced ? (
                  <label>
                    Copies of each note, with other entities in each
                    <input
                      name="copies"
                      type="number"
                      min={1}
                      max={policy?.maxCopies ?? 100}
                      value={1}
                      required
                    />
                  </label>
                ) : (
                  <input type="hidden" name="copies" value="1" />
                )}
                <div class="actions">
                  <button type="submit">Dry run</button>
                </div>
              </form>
            )}
            <h2>What has left so far</h2>
            <LeftSoFar home={home} policy={policy} />
          </>
        ),
      };
    },
  });
}

function limited({ certification }: EncoderService['options']['limits']): string {
  if (!certification)
    return 'and nothing is certified: no limit stands for what their vectors tell.';
  return `under a certified limit of ${limitText(certification.limit)}`;
}

/** Begins a dry run. */
export function shareForm(service: EncoderService): FormAction {
  return formAction({
    path: PATH,
    form: parseInput,
    submit: async ({ form: { input, copies } }) => {
      if (service.options.input === undefined)
        throw new TacetError('not-found', 'this encoder was started without --input');
      const { id } = await service.encodeFiles(input, { dryRun: true, copies: Number(copies) });
      return `/jobs/${id}`;
    },
  });
}
