import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CountColumns } from '../../../models/evaluation/count-columns.js';
import { evaluate, Tally } from '../../../models/evaluation/evaluate.js';
import { evaluationTable } from '../../../models/evaluation/evaluation-table.js';
import { HipaaView } from '../../../models/evaluation/hipaa-view.js';
import { mapTypes } from '../../../models/evaluation/map-types.js';
import { templateDocumentId } from '../../../models/text/corpus/template-id.js';
import type { Document, Span } from '../../../models/text/document.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { tokenise } from '../../../models/text/tokeniser.js';

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
const scheme = loadLabelScheme('i2b2-official-hipaa');
const options = () => ({ seed: 1, resamples: 20, hipaa: new HipaaView(scheme) });
const score = (system: Document) => evaluate([{ gold, system }], options());

describe('evaluation', () => {
  test('a perfect system scores one everywhere and leaks nothing', () => {
    const pairs = Array.from({ length: 12 }, (_, i) => ({
      gold: { ...gold, id: `note-${i}` },
      system: { ...gold, id: `note-${i}` },
    }));
    const { intervals, headlineIntervals, leakage, merged, ...scores } = evaluate(pairs, options());
    for (const level of ['token', 'i2b2Token', 'strict', 'relaxed'] as const) {
      const { binary, micro, macro, hipaa } = scores[level];
      for (const view of [binary, micro, macro, hipaa?.binary, hipaa?.micro, hipaa?.macro])
        expect(view?.f1).toBe(1);
    }
    expect(merged.f1).toBe(1);
    expect([leakage.leakedCharacters, leakage.documentsWithLeak]).toEqual([0, 0]);
    expect(intervals.f1).toEqual([expect.any(Number), 1]);
    expect(intervals.f1?.[0]).toBeLessThan(0.9);
    expect(headlineIntervals['strict.micro.f1']?.[0]).toBeLessThan(0.9);
    expect(headlineIntervals['leakage.leakedCharacterShare']?.[1]).toBeGreaterThan(0.1);
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
    expect(token.hipaa?.binary).toMatchObject({ tp: 4, fp: 1, fn: 4 });
  });

  test('an entity counts only with the same start, end and type', () => {
    const system = document(
      span('DOCTOR', 'Ana Bell'),
      span('DATE', '03/04/2019'),
      span('CITY', 'to Leeds'),
    );
    const { strict } = score(system);
    expect(strict.micro).toMatchObject({ tp: 1, fp: 2, fn: 2 });
    expect(strict.binary).toMatchObject({ tp: 2, fp: 1, fn: 1 });
    expect(strict.hipaa?.micro).toMatchObject({ tp: 1, fp: 1, fn: 2 });
  });

  test('characters of PHI that no span covers have leaked, white space apart', () => {
    const { leakage } = score(document(span('DOCTOR', 'Ana'), span('DATE', '03/04/2019')));
    expect(leakage).toEqual({
      phiCharacters: 22,
      leakedCharacters: 9,
      documentsWithPhi: 1,
      documentsWithLeak: 1,
    });
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
    const { token, strict } = score(system);
    expect(token.binary).toMatchObject({ tp: 8, fp: 0, fn: 0 });
    expect(token.micro).toMatchObject({ tp: 8, fp: 1, fn: 0 });
    expect(strict.micro).toMatchObject({ tp: 3, fp: 1, fn: 0 });
  });

  test('confused tokens are counted by their two types', () => {
    const { confusion } = score(document(span('DOCTOR', 'Ana Bell'), span('CITY', 'to Leeds')));
    expect(confusion).toEqual([
      { gold: 'DATE', system: null, tokens: 5 },
      { gold: 'PATIENT', system: 'DOCTOR', tokens: 2 },
      { gold: null, system: 'CITY', tokens: 1 },
      { gold: 'CITY', system: 'CITY', tokens: 1 },
    ]);
  });

  test('types that the HIPAA scheme does not know take its scores away and are named', () => {
    const system = document(span('STAR_SIGN', 'Ana Bell'));
    const evaluation = score(system);
    expect(evaluation.token.hipaa).toBeNull();
    expect(evaluation.hipaa.unknownTypes).toEqual(['STAR_SIGN']);
    expect(evaluationTable(evaluation).join('\n')).toMatch(/no HIPAA scores: .*STAR_SIGN/);
    expect(Object.keys(evaluation.headlineIntervals).join()).not.toContain('hipaa');
  });

  test('no PHI on either side gives zeros, not NaN', () => {
    const empty = document();
    const { token } = evaluate([{ gold: empty, system: empty }], options());
    expect(token.binary).toEqual({ precision: 0, recall: 0, f1: 0, tp: 0, fp: 0, fn: 0 });
    expect(token.macro.f1).toBe(0);
    expect(evaluate([], options()).documents).toBe(0);
  });

  test('texts that differ are refused without quoting them, or an id, which may be a name', () => {
    const named = { ...gold, id: 'Ana Bell' };
    const system = { ...named, text: TEXT.replace('Bell', 'Hill') };
    const pairs = [
      { gold, system: gold },
      { gold: named, system },
    ];
    expect(() => evaluate(pairs, options())).toThrow(
      /^gold document 2: the system's text differs from the gold text from character 8 on; expected/,
    );
  });

  test('a text that lacks the byte order mark, which offsets count, is told from other texts', () => {
    const marked = { ...gold, text: `\ufeff${TEXT}`, spans: [] };
    expect(() => evaluate([{ gold: marked, system: gold }], options())).toThrow(
      /^gold document 1: .* in the byte order mark at its start, which offsets count; expected/,
    );
  });

  test('a scheme maps types and drops what is not PHI in it', () => {
    const binary = loadLabelScheme('hipaa-binary');
    const mapped = mapTypes(document(span('DOCTOR', 'Ana Bell'), span('CITY', 'Leeds')), binary);
    expect(mapped.spans).toEqual([span('PHI', 'Leeds')]);
    expect(() => mapTypes(document(span('NOBODY', 'Leeds')), binary)).toThrow(/has no NOBODY/);
  });

  test('the order in which documents come changes nothing', () => {
    const pairs = ['b', 'c', 'a'].map((id, at) => ({
      gold: { ...gold, id },
      system: { ...document(...gold.spans.slice(at)), id },
    }));
    expect(evaluate(pairs, options())).toEqual(evaluate([...pairs].reverse(), options()));
  });

  test('documents of one patient have no intervals, and the table says so', () => {
    const pairs = ['220-01', '220-02'].map((id) => ({
      gold: { ...gold, id },
      system: { ...gold, id },
    }));
    const evaluation = evaluate(pairs, options());
    expect([evaluation.intervals, evaluation.headlineIntervals]).toEqual([{}, {}]);
    const [heading, ...lines] = evaluationTable(evaluation);
    expect(heading).toMatch(/, without intervals: 1 origins, too few to be sure of$/);
    expect(lines.join('\n')).toMatch(/token, binary +100\.00 +100\.00 +100\.00\n/);
  });

  test.each([
    [3, /, without intervals: 3 documents, too few to be sure of$/],
    [12, /, with 95 % intervals .*: 12 documents, too few to be sure of$/],
    [30, /, with 95 % intervals over documents, those of one origin together$/],
  ])('the table of %i documents says whether they are enough', (count, expected) => {
    const pairs = Array.from({ length: count }, (_, i) => ({
      gold: { ...gold, id: `note-${i}` },
      system: { ...gold, id: `note-${i}` },
    }));
    expect(evaluationTable(evaluate(pairs, options()))[0]).toMatch(expected);
  });

  test('intervals draw the documents of a template, and those of a patient, together', () => {
    const systems = Array.from({ length: 8 }, () => [
      gold,
      document(),
      document(span('CITY', 'Leeds')),
      document(span('DATE', '03/04')),
    ]).flat();
    const intervalsOf = (idsOf: (at: number) => readonly string[]) => {
      const pairs = systems.flatMap((system, at) =>
        idsOf(at).map((id) => ({ gold: { ...gold, id }, system: { ...system, id } })),
      );
      const { documents, headlineIntervals } = evaluate(pairs, options());
      return { documents, headlineIntervals };
    };
    const once = intervalsOf((at) => [`note-${100 + at}`]);
    const copies = [1, 2, 3];
    const templates = intervalsOf((at) => copies.map((copy) => templateDocumentId(100 + at, copy)));
    const patients = intervalsOf((at) => copies.map((copy) => `${100 + at}-0${copy}`));
    expect(once.headlineIntervals['token.binary.f1']?.[0]).toBeLessThan(0.5);
    expect(templates).toEqual({ ...once, documents: 96 });
    expect(patients).toEqual({ ...once, documents: 96 });
  });

  test('the table names every type and the leak, and quotes nothing', () => {
    const table = evaluationTable(score(document(span('PATIENT', 'Ana Bell')))).join('\n');
    for (const word of ['CITY', 'DATE', 'PATIENT', 'without intervals', '15 of 22 characters'])
      expect(table).toContain(word);
    expect(table).not.toContain('Bell');
  });

  test('tallies of one set of columns give what each gives on its own', () => {
    const hipaa = new HipaaView(scheme);
    const columns = new CountColumns();
    const system = document(span('DOCTOR', 'Ana Bell'));
    const [one, other] = [new Tally(hipaa, columns), new Tally(hipaa, columns)];
    one.add({ gold, system: gold });
    other.add({ gold, system });
    expect(other.evaluation(options())).toEqual(score(system));
    expect(one.evaluation(options()).token.perType).toEqual(score(gold).token.perType);
  });
});

describe('evaluation of random spans', () => {
  const text = 'abc 12 '.repeat(6);
  const spans = fc
    .array(
      fc.record({
        type: fc.constantFrom('CITY', 'DATE'),
        start: fc.nat(text.length - 8),
        length: fc.integer({ min: 1, max: 7 }),
      }),
      { maxLength: 6 },
    )
    .map((drawn) =>
      drawn
        .map(({ type, start, length }) => ({ type, start, end: start + length }))
        .sort((a, b) => a.start - b.start || a.end - b.end),
    );
  const evaluated = (goldSpans: Span[], systemSpans: Span[]) =>
    evaluate(
      [
        {
          gold: { id: 'x', text, spans: goldSpans },
          system: { id: 'x', text, spans: systemSpans },
        },
      ],
      { ...options(), resamples: 1 },
    );

  test('binary token and character counts equal a look at every token and character', () => {
    fc.assert(
      fc.property(spans, spans, (one, two) => {
        const { token, leakage } = evaluated(one, two);
        const inside = (list: Span[], start: number, end: number) =>
          list.some((item) => item.start < end && item.end > start);
        const tokens = tokenise(text).map(({ start, end }) => [
          inside(one, start, end),
          inside(two, start, end),
        ]);
        const count = (wanted: boolean, found: boolean) =>
          tokens.filter(([a, b]) => a === wanted && b === found).length;
        expect(token.binary).toMatchObject({
          tp: count(true, true),
          fp: count(false, true),
          fn: count(true, false),
        });
        const characters = [...text].map((character, at) =>
          character === ' ' ? [] : [inside(one, at, at + 1), inside(two, at, at + 1)],
        );
        expect(leakage.phiCharacters).toBe(characters.filter(([a]) => a).length);
        expect(leakage.leakedCharacters).toBe(characters.filter(([a, b]) => a && !b).length);
      }),
    );
  });

  test('what exchanging gold and system gains in precision it loses in recall', () => {
    fc.assert(
      fc.property(spans, spans, (one, two) => {
        const there = evaluated(one, two);
        const back = evaluated(two, one);
        for (const level of ['token', 'i2b2Token', 'strict'] as const) {
          expect(there[level].micro.precision).toBe(back[level].micro.recall);
          expect(there[level].binary.recall).toBe(back[level].binary.precision);
        }
      }),
    );
  });

  test('header, free text and signature add up to the whole', () => {
    fc.assert(
      fc.property(spans, spans, (one, two) => {
        const { token, strict, leakage, regions } = evaluated(one, two);
        const parts = Object.values(regions);
        const sum = (pick: (part: (typeof parts)[number]) => number) =>
          parts.reduce((total, part) => total + pick(part), 0);
        expect(sum((part) => part.token.binary.tp)).toBe(token.binary.tp);
        expect(sum((part) => part.strict.micro.fn)).toBe(strict.micro.fn);
        expect(sum((part) => part.leakedCharacters)).toBe(leakage.leakedCharacters);
      }),
    );
  });
});
