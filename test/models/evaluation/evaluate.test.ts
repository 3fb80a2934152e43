import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { evaluate } from '../../../models/evaluation/evaluate.js';
import { evaluationTable } from '../../../models/evaluation/evaluation-table.js';
import { mapTypes } from '../../../models/evaluation/map-types.js';
import type { Document, Span } from '../../../models/text/document.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';

const TEXT = 'Mr. Ana Bell came on 03/04/2019 to Leeds.';
const span = (type: string, phrase: string): Span => {
  const start = TEXT.indexOf(phrase);
  return { type, start, end: start + phrase.length };
};
const document = (...spans: Span[]): Document => ({ id: 'a', text: TEXT, spans });
const gold = document(
  span('PATIENT', 'Ana Bell'),
  span('DATE', '03/04/2019'),
  span('CITY', 'Leeds'),
);
const score = (system: Document) => evaluate([{ gold, system }], { seed: 1, resamples: 20 });

describe('evaluation', () => {
  test('a perfect system scores one everywhere and leaks nothing', () => {
    const { token, entity, i2b2Token, leakedCharacters, documentsWithLeak, intervals } =
      score(gold);
    for (const scores of [token, i2b2Token, entity.strict]) {
      expect(scores.binary.f1).toBe(1);
      expect(scores.micro.f1).toBe(1);
      expect(scores.macro.f1).toBe(1);
    }
    expect([leakedCharacters, documentsWithLeak]).toEqual([0, 0]);
    expect(intervals.f1).toEqual([1, 1]);
  });

  test('tokens are counted with and without their types', () => {
    const system = document(
      span('DOCTOR', 'Ana Bell'),
      span('DATE', '03/04'),
      span('CITY', 'to Leeds'),
    );
    const { token, tokens } = score(system);
    expect(tokens).toBe(14);
    expect(token.binary).toMatchObject({ tp: 6, fp: 1, fn: 2 });
    expect(token.micro).toMatchObject({ tp: 4, fp: 3, fn: 4 });
    expect(token.perType.PATIENT).toMatchObject({ tp: 0, fp: 0, fn: 2, f1: 0 });
    expect(token.perType.DATE).toMatchObject({ tp: 3, fp: 0, fn: 2, precision: 1, recall: 0.6 });
  });

  test('an entity counts only with the same start, end and type', () => {
    const system = document(
      span('DOCTOR', 'Ana Bell'),
      span('DATE', '03/04/2019'),
      span('CITY', 'to Leeds'),
    );
    const { strict } = score(system).entity;
    expect(strict.micro).toMatchObject({ tp: 1, fp: 2, fn: 2 });
    expect(strict.binary).toMatchObject({ tp: 2, fp: 1, fn: 1 });
  });

  test('characters of PHI that no span covers have leaked, white space apart', () => {
    const { phiCharacters, leakedCharacters, documentsWithLeak } = score(
      document(span('DOCTOR', 'Ana'), span('DATE', '03/04/2019')),
    );
    expect([phiCharacters, leakedCharacters, documentsWithLeak]).toEqual([22, 9, 1]);
  });

  test('a token that a span cuts is PHI, and in the i2b2 rule a shorter token', () => {
    const { token, i2b2Token } = score(
      document(span('PATIENT', 'Ana Be'), span('DATE', '03/04/2019'), span('CITY', 'Leeds')),
    );
    expect(token.binary.f1).toBe(1);
    expect(i2b2Token.binary).toMatchObject({ tp: 5, fp: 1, fn: 1 });
  });

  test('spans of a system that overlap count each token once, or once for each type', () => {
    const system = document(
      span('PATIENT', 'Ana Bell'),
      span('DOCTOR', 'Bell'),
      span('DATE', '03/04/2019'),
      span('CITY', 'Leeds'),
    );
    const { token, entity } = score(system);
    expect(token.binary).toMatchObject({ tp: 8, fp: 0, fn: 0 });
    expect(token.micro).toMatchObject({ tp: 8, fp: 1, fn: 0 });
    expect(entity.strict.micro).toMatchObject({ tp: 3, fp: 1, fn: 0 });
  });

  test('no PHI on either side gives zeros, not NaN', () => {
    const empty = document();
    const { token, intervals } = evaluate([{ gold: empty, system: empty }], { seed: 1 });
    expect(token.binary).toEqual({ precision: 0, recall: 0, f1: 0, tp: 0, fp: 0, fn: 0 });
    expect(token.macro.f1).toBe(0);
    expect(intervals.f1).toEqual([0, 0]);
    expect(evaluate([], { seed: 1 }).documents).toBe(0);
  });

  test('texts that differ are refused without quoting them', () => {
    const system = { ...gold, text: TEXT.replace('Bell', 'Hill') };
    expect(() => score(system)).toThrow(/^document a: .* from character 8 on; expected/);
  });

  test('a scheme maps types and drops what is not PHI in it', () => {
    const scheme = loadLabelScheme('hipaa-binary');
    const mapped = mapTypes(document(span('DOCTOR', 'Ana Bell'), span('CITY', 'Leeds')), scheme);
    expect(mapped.spans).toEqual([span('PHI', 'Leeds')]);
    expect(() => mapTypes(document(span('NOBODY', 'Leeds')), scheme)).toThrow(/"NOBODY" is not/);
  });

  test('the table names every type and the leak', () => {
    const table = evaluationTable(score(document(span('PATIENT', 'Ana Bell')))).join('\n');
    for (const word of ['CITY', 'DATE', 'PATIENT', '95 % interval', '15 of 22 characters'])
      expect(table).toContain(word);
    expect(table).not.toContain('Bell');
  });

  test('what one side gains in precision by exchanging gold and system it loses in recall', () => {
    const spans = fc
      .array(fc.tuple(fc.constantFrom('A', 'B'), fc.integer({ min: 0, max: 9 })), { maxLength: 6 })
      .map((drawn) =>
        [...new Map(drawn.map(([type, at]) => [at, type]))]
          .sort(([a], [b]) => a - b)
          .map(([at, type]) => ({ type, start: at * 4, end: at * 4 + 3 })),
      );
    fc.assert(
      fc.property(spans, spans, (a, b) => {
        const text = 'abc '.repeat(10);
        const one = { id: 'x', text, spans: a };
        const two = { id: 'x', text, spans: b };
        const there = evaluate([{ gold: one, system: two }], { seed: 1, resamples: 1 });
        const back = evaluate([{ gold: two, system: one }], { seed: 1, resamples: 1 });
        expect(there.token.micro.precision).toBe(back.token.micro.recall);
        expect(there.entity.strict.binary.recall).toBe(back.entity.strict.binary.precision);
        expect(there.token.micro.tp).toBeLessThanOrEqual(there.token.binary.tp);
      }),
    );
  });
});
