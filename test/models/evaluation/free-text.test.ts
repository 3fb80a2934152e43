import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { freeTextOf } from '../../../models/evaluation/free-text.js';
import { generateNotes } from '../../../models/synthetic/generate-notes.js';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import { testWithData } from '../../shared-data.js';

const parts = (text: string) => {
  const { start, end } = freeTextOf(text);
  return [text.slice(0, start), text.slice(start, end), text.slice(end)];
};

describe('the free text of a note', () => {
  test('stands between form-like header and signature, in each language', () => {
    for (const [header, body, signature] of [
      [
        'Record date: 2067-05-03\n\nNAME: Ana Bell\nMRN: 123\n\n',
        'HISTORY OF PRESENT ILLNESS:\nShe came.\n\n',
        'Dr. T. Sand\ncc: Dr. Low',
      ],
      [
        'Datos del paciente.\nNombre: Ana.\nEdad: 35 años.\n',
        'Motivo de ingreso: disnea.\nEvolución favorable.\n',
        'Remitido por: Dra. Eva Sanz. Calle Mayor, 3.\n',
      ],
      [
        'Patientin: Anna Feld, geb. 1.2.1950\n',
        'Sehr geehrte Frau Kollegin,\nes geht ihr gut.\n\n',
        'Mit freundlichen Grüßen\nDr. Wald\n',
      ],
      [
        'Nom : Anne Val\nNé le : 1.2.1950\n\n',
        'Motif : dyspnée.\nElle va mieux.\n\n',
        'Cordialement,\nDr Bois\n',
      ],
    ] as const)
      expect(parts(header + body + signature)).toEqual([header, body, signature]);
  });

  test('is all of a text that is nothing but prose, and none of a form', () => {
    const prose = 'She was seen in clinic with her husband and reports that she has been well.';
    expect(parts(prose)).toEqual(['', prose, '']);
    expect(parts('Name: Ana\nAge: 35')).toEqual(['Name: Ana\nAge: 35', '', '']);
    expect(parts('')).toEqual(['', '', '']);
  });

  test('is a range of the text, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { start, end } = freeTextOf(text);
        expect(start).toBeLessThanOrEqual(end);
        expect(end).toBeLessThanOrEqual(text.length);
        expect(start).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('holds at least 95 % of the spans of synthetic notes that it should, and no others', () => {
    let right = 0;
    let all = 0;
    for (const { text, narrative, spans } of generateNotes({ seed: 3, documents: 60 })) {
      const { start, end } = freeTextOf(text);
      for (const span of spans) {
        const inNarrative = span.start >= narrative.start && span.start < narrative.end;
        if (inNarrative === (span.start >= start && span.start < end)) right++;
        all++;
      }
    }
    expect(right / all).toBeGreaterThan(0.95);
  });

  testWithData(
    'holds the 16 % of the MEDDOCAN spans that are known',
    'meddocan/dev/xml',
    async (meddocan) => {
      let inside = 0;
      let all = 0;
      for await (const { text, spans } of readCorpus(meddocan)) {
        const { start, end } = freeTextOf(text);
        inside += spans.filter((span) => span.start >= start && span.start < end).length;
        all += spans.length;
      }
      expect(inside / all).toBeCloseTo(0.16, 2);
    },
  );
});
