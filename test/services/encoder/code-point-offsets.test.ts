import { describe, expect, test } from '@jest/globals';
import { WORDS } from '../institution/notes.js';
import { post, ServedEncoder } from './served-encoder.js';

describe('offsets of the encoder over HTTP count code points of the text as it was sent', () => {
  const encoder = new ServedEncoder();
  const serving: ServedEncoder['serving'] = (...given) => encoder.serving(...given);

  const text = `\ufeff😀 ${WORDS.join('\r\n')} \0 Jose\u0301 𝒳. alpha`;
  const points = Array.from(text);
  const all = { threshold: 1e-9, policy: 'annotate' };

  test('where PHI was found, and where it is said to be', () =>
    serving(async (url) => {
      const { body } = await post(`${url}/v1/deidentify`, { documents: [{ text }], ...all });
      const [document] = body.documents;
      expect(document.text).toBe(text);
      const { start = 0, label = '' } = document.spans.at(-1) ?? {};
      expect(points.slice(start).join('').endsWith('alpha')).toBe(true);
      const found = document.spans.map((span: { start: number; end: number }) =>
        points.slice(span.start, span.end).join(''),
      );
      expect(found.join('')).toMatch(/^😀/);
      for (const each of found) expect(each).not.toMatch(/^\s|\s$/);
      const encode = async (span: object) => {
        const documents = [{ text, spans: [span] }];
        return (await post(`${url}/v1/encode`, { documents, dryRun: true })).status;
      };
      const last = { start, end: points.length };
      expect(await encode({ ...last, label })).toBe(200);
      expect(await encode({ ...last, type: label })).toBe(200);
      expect(await encode({ ...last, type: label, label })).toBe(400);
      expect(await encode({ start, end: text.length, label })).toBe(400);
    }));

  test('for Presidio’s analyzer and anonymizer', () =>
    serving(async (url) => {
      const { body: results } = await post(`${url}/analyze`, { text, language: 'en' });
      for (const { start, end } of results)
        expect(points.slice(start, end).join('')).not.toMatch(/^\s|\s$|^$/);
      const { body } = await post(`${url}/anonymize`, {
        text,
        analyzer_results: [
          { start: 1, end: 2, score: 1, entity_type: 'A' },
          { start: points.length - 5, end: points.length, score: 1, entity_type: 'B' },
        ],
      });
      expect(body).toHaveProperty('text', text.replace('😀', '<A>').replace(/alpha$/, '<B>'));
    }));

  test('and half of a surrogate pair is refused', () =>
    serving(async (url) => {
      const half = 'alpha \ud83d beta';
      const finding = { start: 0, end: 7, score: 1, entity_type: 'A' };
      const requests = {
        '/v1/deidentify': { documents: [{ text: half }] },
        '/v1/encode': { documents: [{ text: half, spans: [] }] },
        '/v1/jobs': { documents: [{ text: half, spans: [] }] },
        '/analyze': { text: half, language: 'en' },
        '/anonymize': { text: half, analyzer_results: [finding] },
      };
      for (const [path, request] of Object.entries(requests)) {
        const { status, body } = await post(url + path, request);
        expect([path, status]).toEqual([path, path === '/anonymize' ? 422 : 400]);
        expect(JSON.stringify(body)).toMatch(/half of a surrogate pair at offset 6/);
      }
    }));
});
