import { describe, expect, test } from '@jest/globals';
import { Coverage } from '../../../models/embeddings/coverage.js';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';

describe('Coverage', () => {
  test('counts tokens by where their vectors come from, PHI apart', () => {
    const embeddings = embeddingsFromRows(['ana', 'vive', '.'], new Float32Array(6));
    const coverage = new Coverage(embeddings);
    coverage.add({
      id: '1',
      text: 'Ana Xyz vive en 12. Ana vive!',
      spans: [
        { type: 'PATIENT', start: 0, end: 7 },
        { type: 'STREET', start: 16, end: 18 },
      ],
    });
    const report = coverage.report();
    expect(report).toMatchObject({ documents: 1, tokens: 9 });
    const counts = (written: number, lower: number, digits: number, unknown: number) => ({
      'as written': written,
      'lower case': lower,
      subwords: 0,
      digits,
      unknown,
    });
    expect(report.all).toEqual(counts(3, 2, 1, 3));
    expect(report.phi).toEqual(counts(0, 1, 1, 1));
    expect(report.words).toEqual(counts(2, 2, 1, 2));
    expect(report.distinct).toEqual(counts(2, 1, 1, 3));
  });

  test('finds words whose accents are marks of their own', () => {
    const coverage = new Coverage(embeddingsFromRows(['josé'], new Float32Array(2)));
    coverage.add({ id: '1', text: 'Jose\u0301 jose\u0301 jose', spans: [] });
    expect(coverage.report().all).toMatchObject({ 'as written': 1, 'lower case': 1, unknown: 1 });
  });
});
