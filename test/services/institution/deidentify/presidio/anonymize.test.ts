import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  anonymize,
  parseAnonymizeRequest,
} from '../../../../../services/institution/deidentify/presidio/anonymize.js';
import {
  CodePoints,
  codePointsOf,
} from '../../../../../services/institution/deidentify/presidio/code-points.js';

const finding = (start: number, end: number, entity_type: string, score = 0.5) => ({
  start,
  end,
  entity_type,
  score,
});

describe('of findings that overlap', () => {
  test('those of one type are one, as in Presidio', () => {
    const analyzer_results = [finding(3, 9, 'PERSON'), finding(6, 14, 'PERSON', 0.9)];
    const { text, items } = anonymize({ text: 'Mr Jane A. Doe is here', analyzer_results });
    expect(text).toBe('Mr <PERSON> is here');
    expect(items).toHaveLength(1);
  });

  test('one within another is left to it, and of two on the same characters the surer stays', () => {
    const analyzer_results = [
      finding(0, 8, 'A'),
      finding(2, 4, 'B', 0.9),
      finding(9, 12, 'C', 0.2),
      finding(9, 12, 'D', 0.8),
    ];
    expect(anonymize({ text: 'abcdefgh ijk', analyzer_results }).text).toBe('<A> <D>');
  });

  test('of two that overlap each is made of all its characters, as in Presidio', () => {
    const analyzer_results = [finding(4, 21, 'NAME'), finding(11, 33, 'LOCATION')];
    const text = "I'm George Washington Square Park";
    const anonymized = (anonymizers: Record<string, { type: 'keep' | 'replace' }>) =>
      anonymize({ text, analyzer_results, anonymizers }).text;
    expect(anonymized({ NAME: { type: 'keep' } })).toBe("I'm George Washington<LOCATION>");
    expect(anonymized({ LOCATION: { type: 'keep' } })).toBe("I'm <NAME>Washington Square Park");
    expect(anonymized({ DEFAULT: { type: 'keep' } })).toBe(
      "I'm George WashingtonWashington Square Park",
    );
  });

  test('nothing that was found is left, and nothing else is lost', () => {
    const text = 'abcdefghijklmnopqrst';
    const spans = fc.array(
      fc.tuple(fc.nat(19), fc.nat(19), fc.constantFrom('A', 'B', 'C'), fc.double({ noNaN: true })),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(spans, (drawn) => {
        const analyzer_results = drawn.map(([a, b, type, score]) =>
          finding(Math.min(a, b), Math.max(a, b) + 1, type, score),
        );
        const anonymizers = { DEFAULT: { type: 'redact' as const } };
        const kept = [...text].filter(
          (_, at) => !analyzer_results.some(({ start, end }) => start <= at && at < end),
        );
        expect(anonymize({ text, analyzer_results, anonymizers }).text).toBe(kept.join(''));
      }),
    );
  });
});

describe('as in Presidio', () => {
  const text = 'Ana Ruiz';
  const analyzer_results = [finding(0, 8, 'PERSON')];
  const anonymized = (operator: object) =>
    anonymize(parseAnonymizeRequest({ text, analyzer_results, anonymizers: { PERSON: operator } }))
      .text;

  test('a hash with a salt is that of text and salt, and without one never twice the same', () => {
    const salt = '0123456789abcdef';
    for (const hash_type of ['sha256', 'sha512'])
      expect(anonymized({ type: 'hash', hash_type, salt })).toBe(
        createHash(hash_type).update(`${text}${salt}`).digest('hex'),
      );
    expect(anonymized({ type: 'hash' })).not.toBe(anonymized({ type: 'hash' }));
  });

  test.each([
    [{ type: 'hash', salt: '' }, /^Salt parameter cannot be empty\./],
    [{ type: 'hash', salt: 'short' }, /^Salt must be at least 16 bytes .* salt is 5 bytes\.$/],
    [{ type: 'hash', hash_type: 'md5' }, /^Parameter hash_type value md5 is not in range/],
    [{ type: 'mask' }, /^Expected parameter masking_char$/],
    [{ type: 'mask', masking_char: '**' }, /^Invalid input, masking_char must be a character$/],
    [{ type: 'mask', masking_char: '*' }, /^Expected parameter chars_to_mask$/],
    [
      { type: 'mask', masking_char: '*', chars_to_mask: '4' },
      /^Invalid parameter value for chars_to_mask\. Expecting 'number', but got 'string'\.$/,
    ],
    [{ type: 'mask', masking_char: '*', chars_to_mask: 4 }, /^Expected parameter from_end$/],
    [{ type: 'encrypt' }, /^Expected parameter key$/],
    [
      { type: 'encrypt', key: 'short' },
      /^Invalid input, key must be of length 128, 192 or 256 bits$/,
    ],
    [
      { type: 'replace', new_value: 3 },
      /^Invalid parameter value for new_value\. .* got 'number'\.$/,
    ],
    [{ type: 'unheard' }, /^Invalid operator class 'unheard'\.$/],
    [{ type: 'two words' }, /^Invalid operator class '\?'\.$/],
    [{}, /^Invalid input, operator config must contain operator_name$/],
  ])('the operator %j is refused', (operator, message) => {
    expect(() => anonymized(operator)).toThrow(message);
  });

  test.each([
    [undefined, 'Invalid input, request must contain analyzer results'],
    [[{ end: 1, score: 1, entity_type: 'A' }], 'Invalid input, result must contain start'],
    [[{ start: 0, score: 1, entity_type: 'A' }], 'Invalid input, result must contain end'],
    [[{ start: 0, end: 1, score: 1 }], 'Invalid input, result must contain entity_type'],
    [[{ start: 0, end: 1, entity_type: 'A' }], 'Invalid input, analyzer result must contain score'],
    [
      [{ start: -1, end: 1, score: 1, entity_type: 'A' }],
      'Invalid input, result start and end must be positive',
    ],
    [
      [{ start: 2, end: 1, score: 1, entity_type: 'A' }],
      "Invalid input, start index '2' must be smaller than end index '1'",
    ],
    [
      [{ start: '0', end: 1, score: 1, entity_type: 'A' }],
      "Invalid parameter value for start. Expecting 'number', but got 'string'.",
    ],
  ])('the findings %j are refused', (findings, message) => {
    expect(() => parseAnonymizeRequest({ text, analyzer_results: findings })).toThrow(message);
  });

  test('a finding beyond the text is refused with both lengths', () => {
    const beyond = { text, analyzer_results: [finding(0, 9, 'PERSON')] };
    expect(() => anonymize(beyond)).toThrow(
      'Invalid analyzer result, start: 0 and end: 9, while text length is only 8.',
    );
  });
});

test.each(['__proto__', 'constructor', 'toString'])('a type may be called %s', (entity_type) => {
  const analyzer_results = [finding(0, 1, entity_type)];
  for (const anonymizers of [{}, { DEFAULT: { type: 'redact' as const } }])
    expect(anonymize({ text: 'ab', analyzer_results, anonymizers }).text).toMatch(/^(<.*>)?b$/);
});

test('takes as many findings as a large text may have, and no more', () => {
  const of = (count: number) => ({
    text: 'a '.repeat(count),
    analyzer_results: Array.from({ length: count }, (_, i) => finding(2 * i, 2 * i + 1, 'A')),
  });
  expect(anonymize(parseAnonymizeRequest(of(100_000))).text).toBe('<A> '.repeat(100_000));
  expect(() => parseAnonymizeRequest(of(100_001))).toThrow(/analyzer_results/);
});

test('a short request is answered by no endless text', () => {
  const request = (characters: number) => ({
    text: 'ab '.repeat(500),
    analyzer_results: Array.from({ length: 500 }, (_, i) => finding(3 * i, 3 * i + 2, 'A')),
    anonymizers: { A: { type: 'replace' as const, new_value: 'x'.repeat(characters) } },
  });
  expect(anonymize(request(1000)).text).toHaveLength(500_500);
  for (const characters of [150_000, 1_500_000])
    expect(() => anonymize(request(characters))).toThrow(
      expect.objectContaining({
        code: 'request-invalid',
        message: expect.stringContaining('shorter replacements'),
      }),
    );
});

test('offsets count code points, wherever the text has pairs or halves of them', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '😀', '\ud83d', '\ude00') }), (text) => {
      const points = new CodePoints(text);
      const units = [0];
      for (const point of text) units.push((units.at(-1) ?? 0) + point.length);
      expect(points.length).toBe([...text].length);
      expect(codePointsOf(text)).toBe(points.length);
      expect(units.map((unit) => points.pointsBefore(unit))).toEqual(units.map((_, i) => i));
      expect(units.map((_, i) => points.unitAt(i))).toEqual(units);
    }),
  );
});
