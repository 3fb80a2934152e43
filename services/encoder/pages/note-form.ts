import { Type } from '../../../proto/typebox.js';
import { closedObject, oneOf, type TypeOf } from '../../../proto/typed-schema.js';
import { validator } from '../../../proto/validator.js';

/** What may become of PHI on a page; `annotate` would show it as it is. */
const TREATMENTS = ['tag', 'mask', 'surrogate'] as const;

/** A percentage above 0 and up to 100, with a point or a comma. */
export const PERCENTAGE = '[1-9][0-9]?([.,][0-9]{1,100})?|0[.,][0-9]{0,99}[1-9][0-9]{0,99}|100';

const NOTE = closedObject({
  text: Type.String(),
  treatment: oneOf(TREATMENTS),
  language: oneOf(['en', 'es']),
  /** In percent; the most likely labels decide where it is empty. */
  threshold: Type.String({ pattern: `^(${PERCENTAGE})?$` }),
});
/** A note, and what is to become of its PHI. */
export type NoteForm = TypeOf<typeof NOTE>;
export const parseNote = validator(NOTE, 'request-invalid', 'the form');

/** The share that a percentage of a form is; undefined where it is empty. */
export function thresholdIn({ threshold }: Pick<NoteForm, 'threshold'>): number | undefined {
  // Read as a hundredth, and not divided, which would end up a little above it.
  return threshold === '' ? undefined : Number(`${threshold.replace(',', '.')}e-2`);
}
