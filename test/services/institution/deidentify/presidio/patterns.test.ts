import { afterAll, describe, expect, test } from '@jest/globals';
import { parseAnalyzeRequest } from '../../../../../services/institution/deidentify/presidio/analyze-request.js';
import {
  compilePattern,
  compileWords,
  DEFAULT_FLAGS,
} from '../../../../../services/institution/deidentify/presidio/python-pattern.js';
import { withoutDuplicates } from '../../../../../services/institution/deidentify/presidio/recognizer-result.js';
import { refine } from '../../../../../services/institution/deidentify/presidio/refine.js';
import { TextThreads } from '../../../../../services/institution/deidentify/presidio/text-threads.js';

const found = (pattern: string, text: string, flags = DEFAULT_FLAGS) =>
  [...text.matchAll(compilePattern(pattern, flags, 'it'))].map(([match]) => match);

/** Presidio's documented "Enhanced Request". */
const ENHANCED = {
  text: 'John Smith drivers license is AC432223 and the zip code is 12345',
  language: 'en',
  return_decision_process: false,
  correlation_id: '123e4567-e89b-12d3-a456-426614174000',
  score_threshold: 0.6,
  entities: ['US_DRIVER_LICENSE', 'ZIP'],
  trace: false,
  ad_hoc_recognizers: [
    {
      name: 'Zip code Recognizer',
      supported_language: 'en',
      patterns: [{ name: 'zip code (weak)', regex: '(\\b\\d{5}(?:\\-\\d{4})?\\b)', score: 0.01 }],
      context: ['zip', 'code'],
      supported_entity: 'ZIP',
    },
  ],
};

describe('patterns of Python', () => {
  test.each([
    ['(\\b\\d{5}(?:\\-\\d{4})?\\b)', 'zip 12345-6789, 123456', ['12345-6789']],
    ['\\bnúñez\\b', 'Núñez, Núñezá', ['Núñez']],
    ['\\w+', 'Ana-María_2', ['Ana', 'María_2']],
    ['[\\w.-]+@x', 'é.b-c@x', ['é.b-c@x']],
    ['(?P<a>.)(?P<b>b)', 'ab', ['ab']],
    ['\\A.', 'a\nb', ['a']],
    ['^.$', 'a\nb', ['a', 'b']],
    ['[[(?P<]', '[(x', ['[', '(']],
    ['(.)\\1', 'aab', ['aa']],
    ['\\U0001F600', 'a😀', ['😀']],
  ])('%s in %j', (pattern, text, matches) => {
    expect(found(pattern, text)).toEqual(matches);
  });

  test('heed their flags', () => {
    expect(found('a.', 'A\n', 0)).toEqual([]);
    expect(found('(?is)a.', 'A\n', 0)).toEqual(['A\n']);
    expect(() => found('a', 'a', 64)).toThrow(/IGNORECASE/);
  });

  test.each(['(?P=a)', '(?>a)', '(?x)a', 'a++', '(', '\\Ga', '(?#a)', 'a{', '[[:alpha:]]', '[]a]'])(
    '%s is refused rather than matched as something else',
    (pattern) => {
      expect(() => found(pattern, 'a')).toThrow(/^it: /);
    },
  );

  test('words are found as they are, between others', () => {
    const expression = compileWords(['Mr.', 'a+b'], DEFAULT_FLAGS, 'it');
    expect([...'mr. a+b xMr.'.matchAll(expression)].map(([word]) => word)).toEqual(['mr.', 'a+b']);
  });
});

describe('what a request brings along', () => {
  const refined = (change: object) => {
    const request = parseAnalyzeRequest({ ...ENHANCED, ...change });
    return refine({ request, found: [[]] })[0] ?? [];
  };

  test('is found, surer after its context', () => {
    expect(refined({ score_threshold: 0.4 })).toEqual([
      { analysis_explanation: null, start: 59, end: 64, entity_type: 'ZIP', score: 0.4 },
    ]);
    expect(refined({})).toEqual([]);
    const [explained] = refined({ score_threshold: 0, return_decision_process: true });
    expect(explained?.analysis_explanation).toMatchObject({
      recognizer: 'Zip code Recognizer',
      pattern_name: 'zip code (weak)',
      original_score: 0.01,
      supportive_context_word: 'zip',
    });
  });

  test('leaves out what is in another language, of another type, or allowed', () => {
    const low = { score_threshold: 0 };
    expect(refined({ ...low, language: 'es' })).toEqual([]);
    expect(refined({ ...low, entities: ['US_DRIVER_LICENSE'] })).toEqual([]);
    expect(refined({ ...low, allow_list: ['12345'] })).toEqual([]);
    expect(refined({ ...low, allow_list: ['1234'] })).toHaveLength(1);
    expect(refined({ ...low, allow_list: ['^1'], allow_list_match: 'regex' })).toEqual([]);
  });

  test('may be words', () => {
    const recognizer = { supported_entity: 'TITLE', deny_list: ['John', 'zip'] };
    const change = { ad_hoc_recognizers: [recognizer], entities: null };
    expect(refined(change).map(({ start, score }) => [start, score])).toEqual([
      [0, 1],
      [47, 1],
    ]);
  });

  test.each([
    [{ supported_entity: 'A' }],
    [{ supported_entity: 'A', patterns: [{ name: 'a', regex: 'a', score: 2 }] }],
    [{ supported_entity: 'A', deny_list: ['a'], validate: 'luhn' }],
  ])('is refused where part of it would be ignored: %j', (recognizer) => {
    expect(() => parseAnalyzeRequest({ ...ENHANCED, ad_hoc_recognizers: [recognizer] })).toThrow(
      /ad_hoc_recognizers/,
    );
  });
});

test('of findings of one type, one within a surer one is left out', () => {
  const result = (start: number, end: number, score: number, entity_type = 'A') => ({
    ...{ start, end, score, entity_type, analysis_explanation: null },
  });
  const kept = [result(0, 10, 0.9), result(3, 12, 0.8), result(2, 4, 0.7, 'B')];
  expect(withoutDuplicates([result(2, 5, 0.5), ...kept, result(0, 10, 0.9)])).toEqual(kept);
});

describe('a pattern that would take years', () => {
  const threads = new TextThreads(200);
  afterAll(() => threads.close());

  test('is stopped, and the next request is served', async () => {
    const { signal } = new AbortController();
    const slow = { name: 'a', regex: '(a+)+$', score: 1 };
    const text = `${'a'.repeat(60)}!`;
    const request = parseAnalyzeRequest({
      ...{ text, language: 'en' },
      ad_hoc_recognizers: [{ supported_entity: 'A', patterns: [slow] }],
    });
    await expect(threads.refine({ request, found: [[]] }, signal)).rejects.toMatchObject({
      code: 'request-invalid',
    });
    const quick = parseAnalyzeRequest({ text, language: 'en', allow_list: ['a'] });
    expect(await threads.refine({ request: quick, found: [[]] }, signal)).toEqual([[]]);
  });
});
