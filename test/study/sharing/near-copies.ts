import type { Document } from '../../../models/text/document.js';

const NAME = 'Berta';
const TEXT = ['first', 'second', 'third', 'fourth', 'fifth']
  .map(
    (part) =>
      `In the ${part} part of this letter the patient was seen by ${NAME}, who had nothing new to say of his illness.`,
  )
  .join('\n');

/** Notes that are nearly the same; each long sentence has a name, so that they are not once names are replaced. */
export function nearCopies(count: number): Document[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `${i}`,
    text: `${TEXT}\nRoom ${i}.`,
    spans: [...TEXT.matchAll(new RegExp(NAME, 'g'))].map(({ index }) => {
      return { type: 'DOCTOR', start: index, end: index + NAME.length };
    }),
  }));
}
