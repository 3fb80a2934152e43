import { TacetError } from '../../../proto/errors.js';
import { withoutByteOrderMark } from '../byte-order-mark.js';
import type { RawDocument, RawSpan } from './raw-document.js';
import type { Remark, RemarkCounts } from './remarks.js';

/** `T<id> TAB type start end[;start end]... TAB text`, the text-bound line of brat's standoff format. */
const TEXT_BOUND = /^T\S*\t(\S+) (\d{1,10} \d{1,10}(?:;\d{1,10} \d{1,10})*)(?:\t(.*))?$/s;
/** The other lines of the format hold no spans; `M` is the older name of an attribute. */
const OTHER_LINES: Readonly<Record<string, Remark>> = {
  R: 'relations',
  E: 'events',
  A: 'attributes',
  M: 'attributes',
  N: 'normalisations',
  '#': 'notes',
  '*': 'equivalences',
};

/**
 * A document of brat standoff: the text of the `.txt` file and the lines of the `.ann` file. Only
 * text-bound annotations are spans; the others are counted. The fragments of a discontinuous one are spans of their own,
 * save where only white space lies between them, as where brat breaks one at a line end.
 */
export function parseBrat(
  text: string,
  annotations: string,
  id: string,
  origin: string,
): RawDocument {
  const remarks: RemarkCounts = {};
  const spans = withoutByteOrderMark(annotations)
    .split('\n')
    .flatMap((line, index) => {
      const place = `line ${index + 1}`;
      const content = line.replace(/\r$/, '');
      if (content.trim() === '') return [];
      const other = OTHER_LINES[content.charAt(0)];
      if (other !== undefined) {
        remarks[other] = (remarks[other] ?? 0) + 1;
        return [];
      }
      const [, type, fragments, covered] = TEXT_BOUND.exec(content) ?? [];
      if (type === undefined || fragments === undefined)
        throw new TacetError(
          'corpus-invalid',
          `${origin}: ${place}: expected "T1<TAB>TYPE START END<TAB>TEXT" or another brat line`,
        );
      return spansOf(type, fragments, covered, place);
    });
  return { id, text, spans, origin, remarks };
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
