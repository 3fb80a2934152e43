import { TacetError } from '../../../proto/errors.js';
import type { RawDocument, RawSpan } from './raw-document.js';

/** `T<id> TAB type start end[;start end]... TAB text`, the text-bound line of brat's standoff format. */
const TEXT_BOUND = /^T\S*\t(\S+) (\d{1,10} \d{1,10}(?:;\d{1,10} \d{1,10})*)(?:\t(.*))?$/s;
/** Relations, events, attributes, modifications, normalisations, notes and equivalences: no spans. */
const OTHER_LINE = /^[REAMN#*]/;

/**
 * A document of brat standoff: the text of the `.txt` file and the lines of the `.ann` file. Only
 * text-bound annotations are spans. The fragments of a discontinuous one are spans of their own,
 * save where only white space lies between them, as where brat breaks one at a line end.
 */
export function parseBrat(
  text: string,
  annotations: string,
  id: string,
  origin: string,
): RawDocument {
  const spans = annotations
    .replace(/^\ufeff/, '')
    .split('\n')
    .flatMap((line, index) => {
      const place = `line ${index + 1}`;
      const content = line.replace(/\r$/, '');
      if (content.trim() === '' || OTHER_LINE.test(content)) return [];
      const [, type, fragments, covered] = TEXT_BOUND.exec(content) ?? [];
      if (type === undefined || fragments === undefined)
        throw new TacetError(
          'corpus-invalid',
          `${origin}: ${place}: expected "T1<TAB>TYPE START END<TAB>TEXT" or another brat line`,
        );
      return spansOf(type, fragments, covered, place);
    });
  return { id, text, spans, origin };
}

/** A discontinuous annotation's text joins its fragments, in code points, with one space each. */
function spansOf(
  type: string,
  fragments: string,
  covered: string | undefined,
  place: string,
): RawSpan[] {
  const characters = covered === undefined ? undefined : Array.from(covered);
  let from = 0;
  return fragments.split(';').map((fragment, index) => {
    const [start = 0, end = 0] = fragment.split(' ').map(Number);
    const to = fragments.includes(';') ? from + Math.max(0, end - start) : undefined;
    const text = characters?.slice(from, to).join('');
    from = (to ?? 0) + 1;
    return {
      type,
      start,
      end,
      place,
      continues: index > 0,
      ...(text === undefined ? {} : { text }),
    };
  });
}
