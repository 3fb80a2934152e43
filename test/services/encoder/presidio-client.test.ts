import { describe, expect, test } from '@jest/globals';
import { post, ServedEncoder } from './served-encoder.js';

describe('the encoder, to a client of Presidio', () => {
  const encoder = new ServedEncoder();
  const serving: ServedEncoder['serving'] = (...given) => encoder.serving(...given);

  test('findings have the shape of the documentation, offsets in code points', () =>
    serving(async (url) => {
      const text = '😀 John Smith drivers license is AC432223';
      const { status, body } = await post(`${url}/analyze`, {
        text,
        language: 'en',
        score_threshold: 0,
      });
      expect(status).toBe(200);
      expect(body.length).toBeGreaterThan(0);
      const points = [...text];
      for (const finding of body) {
        expect(Object.keys(finding)).toEqual([
          'analysis_explanation',
          'end',
          'entity_type',
          'score',
          'start',
        ]);
        expect(finding.analysis_explanation).toBeNull();
        // A token begins where the finding does, which it would not in UTF-16 units.
        expect(points.slice(finding.start, finding.end).join('')).toMatch(/^\S.*\S$|^\S$/);
      }
      const all = await post(`${url}/analyze`, { text: [text, text], language: 'en' });
      expect(all.body).toEqual([body, body]);
      const explained = await post(`${url}/analyze`, {
        text,
        language: 'en',
        return_decision_process: true,
      });
      expect(Object.keys(explained.body[0]?.analysis_explanation ?? {})).toEqual([
        'recognizer',
        'pattern_name',
        'pattern',
        'original_score',
        'score',
        'textual_explanation',
        'score_context_improvement',
        'supportive_context_word',
        'validation_result',
      ]);
      const entities = ['PHI', 'US_DRIVER_LICENSE', 'ZIP'];
      expect((await post(`${url}/analyze`, { text, language: 'en', entities })).body).toEqual(body);
    }));

  test('the decision process is told where Python would take the wish for true', () =>
    serving(async (url) => {
      const text = 'write to maria.garcia@example.org';
      for (const [wish, told] of [
        [0, false],
        ['', false],
        [null, false],
        [1, true],
        ['yes', true],
      ] as const) {
        const request = { text, language: 'en', return_decision_process: wish };
        const { status, body } = await post(`${url}/analyze`, request);
        expect(status).toBe(200);
        expect(body.map(({ analysis_explanation: each }) => each !== null)).toContain(told);
      }
    }));

  test('addresses and numbers are found whole by their shape, beside the model', () =>
    serving(async (url) => {
      const text = 'write to maria.garcia@example.org or call (617) 555-0199';
      const entities = ['EMAIL_ADDRESS', 'PHONE_NUMBER'];
      const { body } = await post(`${url}/analyze`, { text, language: 'en', entities });
      expect(body.map(({ start, end }) => text.slice(start, end))).toEqual([
        'maria.garcia@example.org',
        '(617) 555-0199',
      ]);
      const { documents } = (await (
        await fetch(`${url}/v1/deidentify`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ documents: [{ text }] }),
        })
      ).json()) as { documents: { text: string }[] };
      expect(documents[0]?.text).not.toMatch(/maria|garcia|example|617|555|0199/);
    }));

  test('what was encrypted is given back to who has the key', () =>
    serving(async (url) => {
      const text = 'Seen 😀 by Ana Ruiz';
      const key = '0123456789abcdef';
      const anonymized = await post(`${url}/anonymize`, {
        text,
        analyzer_results: [{ start: 10, end: 18, score: 1, entity_type: 'PERSON' }],
        anonymizers: { PERSON: { type: 'encrypt', key } },
      });
      const sealed = anonymized.body as unknown as { text: string; items: object[] };
      expect(sealed.text).not.toContain('Ana');
      const back = (deanonymizers: object) =>
        post(`${url}/deanonymize`, {
          text: sealed.text,
          anonymizer_results: sealed.items,
          deanonymizers,
        });
      expect(await back({ PERSON: { type: 'decrypt', key } })).toEqual({
        status: 200,
        body: {
          text,
          items: [
            { start: 10, end: 18, entity_type: 'PERSON', text: 'Ana Ruiz', operator: 'decrypt' },
          ],
        },
      });
      expect(await back({ PERSON: { type: 'decrypt', key: 'short' } })).toEqual({
        status: 422,
        body: { error: 'Invalid input, key must be of length 128, 192 or 256 bits' },
      });
      const other = await back({ PERSON: { type: 'decrypt', key: 'fedcba9876543210' } });
      expect(other.status).toBe(422);
      expect(await post(`${url}/deanonymize`, { key })).toEqual({
        status: 200,
        body: { text: '', items: [] },
      });
      expect(await post(`${url}/deanonymize`, {})).toEqual({
        status: 400,
        body: { error: 'Invalid request json' },
      });
    }));

  test('errors have the shape of the documentation', () =>
    serving(async (url) => {
      const none = 'No matching recognizers were found to serve the request.';
      const text = 'x';
      for (const [request, status, error] of [
        [{ language: 'en' }, 500, 'No text provided'],
        [{ text: '', language: 'en' }, 500, 'No text provided'],
        [{ text }, 500, 'No language provided'],
        [{ text, language: 'tlh' }, 500, none],
        [{ text, language: 'en', entities: ['ZIP'] }, 500, none],
        [{ text, language: 'en', score_threshold: 'high' }, 400, expect.any(String)],
        [
          { text, language: 'en', allow_list: ['(?>a)'], allow_list_match: 'regex' },
          400,
          expect.any(String),
        ],
        [
          {
            text,
            language: 'en',
            ad_hoc_recognizers: [
              {
                supported_entity: 'ZIP',
                patterns: [{ type: 'weak', regex: '\\d{5}', score: 0.1 }],
              },
            ],
          },
          400,
          'Failed to parse /analyze request for AnalyzerEngine.analyze(). ' +
            "Pattern.__init__() got an unexpected keyword argument 'type'",
        ],
        ['{', 400, 'The browser (or proxy) sent a request that this server could not understand.'],
      ] as const)
        expect(await post(`${url}/analyze`, request)).toEqual({ status, body: { error } });
      const outside = {
        text: 'x',
        analyzer_results: [{ start: 0, end: 9, score: 1, entity_type: 'A' }],
      };
      for (const [request, status] of [
        [outside, 422],
        [{ text: 'x' }, 422],
        [{}, 400],
        [{ ...outside, anonymizers: { DEFAULT: { type: 'custom' } } }, 400],
        ['{', 400],
      ] as const)
        expect(await post(`${url}/anonymize`, request)).toEqual({
          status,
          body: { error: expect.any(String) },
        });
    }));

  test('what nests without end is refused, in fields that are passed over, too', () =>
    serving(async (url) => {
      const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
      const headers = { 'Content-Type': 'application/json' };
      for (const path of ['analyze', 'anonymize', 'deanonymize']) {
        const body = `{"text":"Ann","language":"en","other":${deep}}`;
        const response = await fetch(`${url}/${path}`, { method: 'POST', headers, body });
        expect(response.status).toBe(path === 'analyze' ? 400 : 422);
        expect(await response.json()).toEqual({
          error: expect.stringContaining('deeper than 256'),
        });
      }
    }));

  test('tells what it finds with what, by language', () =>
    serving(async (url) => {
      const everywhere = ['EMAIL_ADDRESS', 'URL', 'IP_ADDRESS', 'CREDIT_CARD', 'IBAN_CODE'];
      for (const [route, answer, english] of [
        [
          'supportedentities',
          ['PHI', ...everywhere, 'PHONE_NUMBER'],
          ['US_SSN', 'US_DRIVER_LICENSE'],
        ],
        [
          'recognizers',
          ['TacetRecognizer', 'EmailRecognizer', 'PhoneRecognizer'],
          ['UsSsnRecognizer', 'UsLicenseRecognizer'],
        ],
      ] as const) {
        const found = async (query: string): Promise<string[]> =>
          (await fetch(`${url}/${route}${query}`)).json() as Promise<string[]>;
        for (const query of ['', '?language=en', '?unknown=input'])
          expect(await found(query)).toEqual(expect.arrayContaining([...answer, ...english]));
        expect(await found('?language=es')).toEqual(expect.arrayContaining([...answer]));
        for (const name of english) expect(await found('?language=es')).not.toContain(name);
        const unknown = await fetch(`${url}/${route}?language=tlh`);
        expect([unknown.status, await unknown.json()]).toEqual([
          500,
          { error: 'No matching recognizers were found to serve the request.' },
        ]);
      }
    }));

  test('finds what a request’s own recognizers find, beside the model', () =>
    serving(async (url) => {
      const recognizer = {
        supported_entity: 'ZIP',
        patterns: [{ name: 'zip', regex: '\\b\\d{5}\\b', score: 0.5 }],
      };
      const request = { language: 'en', entities: ['ZIP'], ad_hoc_recognizers: [recognizer] };
      const zip = { entity_type: 'ZIP', start: 2, end: 7, score: 0.5 };
      const one = await post(`${url}/analyze`, { ...request, text: '😀 12345' });
      expect(one.body).toEqual([{ ...zip, analysis_explanation: null }]);
      const both = await post(`${url}/analyze`, { ...request, text: ['😀 12345', 'x'] });
      expect(both.body).toMatchObject([[zip], []]);
    }));

  test('large texts and many findings are replaced beside the event loop', () =>
    serving(async (url) => {
      const analyzer_results = Array.from({ length: 6000 }, (_, i) => ({
        ...{ start: 10 * i, end: 10 * i + 4, score: 0.5, entity_type: 'A' },
      }));
      const text = 'abcd efgh '.repeat(6000);
      const { body } = await post(`${url}/anonymize`, { text, analyzer_results });
      expect(body.text).toBe('<A> efgh '.repeat(6000));
    }));

  const TEXT = 'hello world, my name is Jane Doe. My number is: 034453334';
  const RESULTS = [
    { start: 24, end: 32, score: 0.8, entity_type: 'NAME' },
    { start: 48, end: 57, score: 0.95, entity_type: 'PHONE_NUMBER' },
  ];

  test.each([
    [
      'replace and redact',
      { PHONE_NUMBER: { type: 'redact' }, NAME: { type: 'replace', new_value: 'ANONYMIZED' } },
      {
        text: 'hello world, my name is ANONYMIZED. My number is: ',
        items: [
          { operator: 'redact', entity_type: 'PHONE_NUMBER', start: 50, end: 50, text: '' },
          { operator: 'replace', entity_type: 'NAME', start: 24, end: 34, text: 'ANONYMIZED' },
        ],
      },
    ],
    [
      'replace as default',
      { DEFAULT: { type: 'replace', new_value: 'ANONYMIZED' } },
      {
        text: 'hello world, my name is ANONYMIZED. My number is: ANONYMIZED',
        items: [
          {
            operator: 'replace',
            entity_type: 'PHONE_NUMBER',
            start: 50,
            end: 60,
            text: 'ANONYMIZED',
          },
          { operator: 'replace', entity_type: 'NAME', start: 24, end: 34, text: 'ANONYMIZED' },
        ],
      },
    ],
  ])('%s answers as the documentation says', (_, anonymizers, expected) =>
    serving(async (url) => {
      const sent = { text: TEXT, anonymizers, analyzer_results: RESULTS };
      expect(await post(`${url}/anonymize`, sent)).toEqual({ status: 200, body: expected });
    }),
  );

  test('types stand in for what no operator is given for, masks keep what they are told to', () =>
    serving(async (url) => {
      const plain = await post(`${url}/anonymize`, { text: TEXT, analyzer_results: RESULTS });
      expect(plain.body.text).toBe('hello world, my name is <NAME>. My number is: <PHONE_NUMBER>');
      const mask = { type: 'mask', masking_char: '*', chars_to_mask: 4, from_end: true };
      const masked = await post(`${url}/anonymize`, {
        text: TEXT,
        analyzer_results: RESULTS,
        anonymizers: { DEFAULT: mask },
      });
      expect(masked.body.text).toBe('hello world, my name is Jane****. My number is: 03445****');
    }));

  test('of findings that overlap nothing is left in the text', () =>
    serving(async (url) => {
      const analyzer_results = [
        { start: 0, end: 8, score: 0.5, entity_type: 'A' },
        { start: 4, end: 12, score: 0.9, entity_type: 'B' },
      ];
      const { body } = await post(`${url}/anonymize`, {
        text: 'abcdefghijklm',
        analyzer_results,
      });
      expect(body.text).toBe('<A><B>m');
    }));
});
