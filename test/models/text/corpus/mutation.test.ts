import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseBrat } from '../../../../models/text/corpus/brat.js';
import { parseI2b2Xml } from '../../../../models/text/corpus/i2b2-xml.js';
import { parseJsonlDocument } from '../../../../models/text/corpus/jsonl.js';
import { checkedDocument, type RawDocument } from '../../../../models/text/corpus/raw-document.js';
import { TacetError } from '../../../../proto/errors.js';

const xml =
  '<?xml version="1.0"?>\n<a><TEXT><![CDATA[Sñra. Ann 😀\r\nLee]]>&amp;</TEXT><TAGS>' +
  '<NAME start="6" end="9" text="Ann" TYPE="PATIENT"/></TAGS></a>';
const jsonl = '{"id":"x","text":"Sñra. Ann 😀","spans":[{"start":6,"end":9,"label":"PATIENT"}]}';
const brat = 'T1\tNAME 0 3;4 7\tAnn Lee\nR1\tx Arg1:T1\n#1\tNote T1\thello\nT2\tAGE 8 10\t70\n';

const edits = fc.array(
  fc.record({
    at: fc.nat({ max: 200 }),
    remove: fc.nat({ max: 6 }),
    insert: fc.oneof(
      fc.constantFrom(
        '',
        '<',
        '>',
        '"',
        '&',
        ';',
        ']]>',
        '\0',
        '\r',
        '\ud800',
        '{',
        '[',
        '-1',
        '9',
      ),
      fc.constantFrom('\t', ' ', '\\', '99999999999', '__proto__', '\ufeff', '<!DOCTYPE a>'),
      fc.string({ maxLength: 4, unit: 'binary' }),
    ),
  }),
  { minLength: 1, maxLength: 4 },
);

const mutated = (source: string) =>
  edits.map((list) =>
    list.reduce((text, { at, remove, insert }) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + insert + text.slice(place + remove);
    }, source),
  );

/** Whatever a file holds, it reads as a document whose spans hold, or fails as expected failures do. */
function readsOrRefuses(parse: () => RawDocument): void {
  try {
    const { text, spans } = checkedDocument(parse());
    let at = 0;
    for (const { start, end } of spans) {
      expect(start).toBeGreaterThanOrEqual(at);
      expect(end).toBeGreaterThan(start);
      expect(end).toBeLessThanOrEqual(text.length);
      at = end;
    }
  } catch (error) {
    if (!(error instanceof TacetError)) throw error;
    expect(error.code).toBe('corpus-invalid');
  }
}

describe('a damaged file reads as a sound document or is refused', () => {
  const runs = { numRuns: 2000 };

  test('as i2b2 XML', () => {
    fc.assert(
      fc.property(mutated(xml), (text) => readsOrRefuses(() => parseI2b2Xml(text, 'x', 'x'))),
      runs,
    );
  });

  test('as JSONL', () => {
    fc.assert(
      fc.property(mutated(jsonl), (text) =>
        readsOrRefuses(() => parseJsonlDocument(text, 'x', 'x')),
      ),
      runs,
    );
  });

  test('as brat', () => {
    fc.assert(
      fc.property(mutated(brat), (text) =>
        readsOrRefuses(() => parseBrat('Ann Lee 70 ñ 😀\r\n', text, 'x', 'x')),
      ),
      runs,
    );
  });
});
