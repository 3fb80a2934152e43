import { describe, expect, test } from '@jest/globals';
import type { DocumentPair } from '../../../models/evaluation/document-counts.js';
import type { Document } from '../../../models/text/document.js';
import { evaluatedPairs, scoresFrom } from '../../../study/runs/deidentifier-scores.js';

const TEXT = 'Ana saw Berta today';

const scoresOf = (...pairs: DocumentPair[]) => scoresFrom(evaluatedPairs(pairs));

function marked(...types: readonly [type: string, word: string][]): Document {
  const spans = types.map(([type, word]) => {
    const start = TEXT.indexOf(word);
    return { type, start, end: start + word.length };
  });
  return { id: 'a', text: TEXT, spans };
}

describe('the scores of a de-identifier', () => {
  test('count apart what HIPAA counts, as the official i2b2 2014 evaluation does', () => {
    const gold = marked(['PATIENT', 'Ana'], ['DOCTOR', 'Berta'], ['DATE', 'today']);
    const system = marked(['PATIENT', 'Ana'], ['HOSPITAL', 'saw'], ['CITY', 'today']);
    const pairs = ['a', 'b'].map((id) => ({ gold: { ...gold, id }, system: { ...system, id } }));
    const { binaryToken, hipaaToken } = scoresOf(...pairs);
    expect(binaryToken).toMatchObject({ precision: { value: 2 / 3 }, recall: { value: 2 / 3 } });
    expect(hipaaToken).toMatchObject({ precision: { value: 1 }, recall: { value: 1 } });
    expect(hipaaToken?.f1.interval).toEqual([0, 1]);
  });

  test('count MEDDOCAN by the types that are like its own', () => {
    const gold = marked(['NOMBRE_SUJETO_ASISTENCIA', 'Ana'], ['CENTRO_SALUD', 'Berta']);
    const system = marked(['CENTRO_SALUD', 'Berta']);
    expect(scoresOf({ gold, system }).hipaaToken).toMatchObject({ recall: { value: 0 } });
  });

  test.each([
    ['TAB', 'DATETIME'],
    ['all categories alike', 'NAME'],
  ])('leave HIPAA out for the types of %s', (_, type) => {
    const gold = marked(['PERSON', 'Ana'], [type, 'today']);
    expect(scoresOf({ gold, system: gold })).not.toHaveProperty('hipaaToken');
  });
});
