import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Span } from '../../../../models/text/document.js';
import { ReplacedText } from '../../../../services/institution/deidentify/replaced-text.js';
import type { Treatment } from '../../../../services/institution/deidentify/treatment.js';

const TEXT = 'Seen by Ana Ruiz on 3 May.';
const SPANS = [
  { type: 'DOCTOR', start: 8, end: 16 },
  { type: 'DATE', start: 20, end: 25 },
];

function replaceSpans(text: string, found: readonly Span[], treatment: Treatment) {
  const replaced = new ReplacedText(text, found, { treatment });
  const spans = found.map((span) => replaced.replace(span));
  return { text: replaced.end(), spans };
}

describe('replacing spans', () => {
  test('by tags gives their types', () => {
    const { text, spans } = replaceSpans(TEXT, SPANS, 'tag');
    expect(text).toBe('Seen by [DOCTOR] on [DATE].');
    expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual(['[DOCTOR]', '[DATE]']);
  });

  test('by masks keeps every offset', () => {
    expect(replaceSpans(TEXT, SPANS, 'mask')).toEqual({
      text: 'Seen by ******** on *****.',
      spans: SPANS,
    });
  });

  test('annotates without touching the text', () => {
    expect(replaceSpans(TEXT, SPANS, 'annotate')).toEqual({ text: TEXT, spans: SPANS });
  });

  test('leaves nothing of a span and everything else', () => {
    const cuts = fc.uniqueArray(fc.nat(30), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(fc.string({ minLength: 31, maxLength: 31 }), cuts, (text, offsets) => {
        const sorted = [...offsets].sort((a, b) => a - b);
        const found = sorted.flatMap((start, i) =>
          i % 2 === 0 && sorted[i + 1] !== undefined
            ? [{ type: 'PHI', start, end: sorted[i + 1] as number }]
            : [],
        );
        const rest = (from: string, spans: readonly { start: number; end: number }[]) =>
          [{ end: 0 }, ...spans].map(({ end }, i) => from.slice(end, spans[i]?.start));
        const replaced = replaceSpans(text, found, 'tag');
        expect(rest(replaced.text, replaced.spans)).toEqual(rest(text, found));
        for (const { start, end } of replaced.spans)
          expect(replaced.text.slice(start, end)).toBe('[PHI]');
      }),
    );
  });
});
