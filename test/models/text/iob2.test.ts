import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Span } from '../../../models/text/document.js';
import { decodeLabels, encodeLabels } from '../../../models/text/iob2.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { tokenise } from '../../../models/text/tokeniser.js';

const scheme = loadLabelScheme('i2b2-2014');
const hipaa = loadLabelScheme('hipaa-binary');

function encoded(text: string, spans: Span[]): string[] {
  return [...encodeLabels(tokenise(text), spans, scheme)].map((id) => scheme.labels[id] as string);
}

describe('encodeLabels', () => {
  test('labels the first token of a span B- and the others I-', () => {
    expect(encoded('seen by Ann Lee today', [{ type: 'DOCTOR', start: 8, end: 15 }])).toEqual([
      'O',
      'O',
      'B-DOCTOR',
      'I-DOCTOR',
      'O',
    ]);
  });

  test('labels the whole of a token that a span cuts', () => {
    expect(encoded('nieta con', [{ type: 'PATIENT', start: 0, end: 4 }])).toEqual([
      'B-PATIENT',
      'O',
    ]);
  });

  test('gives a token that two spans share to the first, and begins the second behind it', () => {
    const spans = [
      { type: 'DOCTOR', start: 0, end: 2 },
      { type: 'CITY', start: 2, end: 8 },
    ];
    expect(encoded('Lima Rio x', spans)).toEqual(['B-DOCTOR', 'B-CITY', 'O']);
  });

  test('leaves types that the scheme maps to nothing outside', () => {
    const text = 'Ann Lee saw Bob';
    const spans = [
      { type: 'DOCTOR', start: 0, end: 7 },
      { type: 'PATIENT', start: 12, end: 15 },
    ];
    expect([...encodeLabels(tokenise(text), spans, hipaa)]).toEqual([0, 0, 0, 1]);
  });
});

describe('decodeLabels', () => {
  test('begins a span at an inside label after O or after another type', () => {
    const id = (label: string) => scheme.labels.indexOf(label);
    const labels = ['I-AGE', 'I-CITY', 'I-CITY', 'B-CITY', 'O', 'I-AGE'].map(id);
    expect(decodeLabels(tokenise('a b c d e f'), labels, scheme)).toEqual([
      { type: 'AGE', start: 0, end: 1 },
      { type: 'CITY', start: 2, end: 5 },
      { type: 'CITY', start: 6, end: 7 },
      { type: 'AGE', start: 10, end: 11 },
    ]);
  });

  test('decodes any sequence of labels to spans in order that do not overlap', () => {
    const label = fc.nat({ max: scheme.labels.length - 1 });
    fc.assert(
      fc.property(fc.array(label, { maxLength: 40 }), (labels) => {
        const tokens = tokenise('ab, '.repeat(labels.length)).slice(0, labels.length);
        const spans = decodeLabels(tokens, labels, scheme);
        let at = 0;
        for (const span of spans) {
          expect(span.start).toBeGreaterThanOrEqual(at);
          expect(span.end).toBeGreaterThan(span.start);
          at = span.end;
        }
        const outside = labels.filter((id) => id === 0).length;
        const again = encodeLabels(tokens, spans, scheme);
        expect(again.filter((id) => id === 0)).toHaveLength(outside);
      }),
    );
  });

  test('gives back the spans that were encoded where they end at token boundaries', () => {
    const parts = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.integer({ min: 1, max: 5 })), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(parts, (layout) => {
        const tokens = tokenise('word 12, '.repeat(70));
        let at = 0;
        const spans = layout.map(([gap, length], index) => {
          const first = at + gap;
          at = first + length;
          return {
            type: scheme.types[index % scheme.types.length] as string,
            start: tokens[first]?.start as number,
            end: tokens[at - 1]?.end as number,
          };
        });
        expect(decodeLabels(tokens, encodeLabels(tokens, spans, scheme), scheme)).toEqual(spans);
      }),
    );
  });
});
