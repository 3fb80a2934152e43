import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Representation } from '../../../../../models/networks/representation.js';
import { useBackend } from '../../../../../models/tensor/backend.js';
import { Random } from '../../../../../models/tensor/random.js';
import { KeptTypes } from '../../../../../services/institution/release/job/kept-types.js';
import { LabelPieces } from '../../../../../services/institution/release/segments/label-pieces.js';
import { releaseBatches } from '../../../../../services/institution/release/segments/release-batches.js';
import { SentenceTable } from '../../../../../services/institution/release/sentences/sentence-table.js';
import { TWO_TYPES } from '../../two-types.js';

const SENTENCES = 1000;
const TOKENS = 10;
/** Of d = 4 in float16, with its label. */
const TOKEN_BYTES = 10;
const SENTENCE_BYTES = TOKENS * TOKEN_BYTES + 24;

describe('batches of a plan', () => {
  let representation: Representation;
  beforeAll(async () => {
    await useBackend();
    const config = {
      ...{ embeddingDimension: 2, units: 2, dimension: 4 },
      ...{ initialInputStddev: 0.1, initialOutputStddev: 0.1 },
    };
    representation = Representation.create(config, new Random(1));
  });

  function sizesOf(documents: number, segmentSentences: number, minDocuments = 1): number[] {
    const segmentBytes = segmentSentences * SENTENCE_BYTES;
    return batchSizes(SENTENCES, TOKENS, (i) => i % documents, { segmentBytes, minDocuments });
  }

  function batchSizes(
    sentences: number,
    tokens: number,
    documentOf: (sentence: number) => number,
    sizes: { readonly segmentBytes: number; readonly minDocuments: number },
  ): number[] {
    const table = new SentenceTable();
    for (let i = 0; i < sentences; i++)
      table.add({
        ...{ rows: new Int32Array(tokens), labels: new Uint8Array(tokens), mentions: [] },
        hash: createHash('sha256').update(`${i}`).digest(),
        ...{ alike: Buffer.alloc(0), document: documentOf(i), isReleased: false },
      });
    const order = Uint32Array.from({ length: sentences }, (_, i) => i);
    const whole = {
      labelDocuments: 1,
      inventory: undefined,
      keptTypes: new KeptTypes([], TWO_TYPES),
    };
    const pieces = new LabelPieces(table, order, whole);
    const plan = { table, order, pieces, chargesOf: () => [] };
    const limits = { ...sizes, maxReleases: 1, copies: 1 };
    const batches = releaseBatches(plan, { representation }, limits);
    expect(batches.flat()).toEqual([...order]);
    return batches.map(({ length }) => length);
  }

  test('are of like size, and the last one of half of it', () => {
    expect(sizesOf(SENTENCES, 110)).toEqual([...Array(9).fill(105), 55]);
    expect(sizesOf(SENTENCES, 400)).toEqual([400, 400, 200]);
    expect(sizesOf(SENTENCES, 900)).toEqual([666, 334]);
  });

  test('are one where everything fits', () => {
    expect(sizesOf(SENTENCES, SENTENCES)).toEqual([SENTENCES]);
    expect(sizesOf(SENTENCES, 5000)).toEqual([SENTENCES]);
  });

  test('are larger where one would be of too few documents', () => {
    const sizes = sizesOf(SENTENCES, 10, 50);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(50);
    expect(sizesOf(20, 10, 50)).toEqual([SENTENCES]);
  });

  test('are refused before anything is encoded where one would take more than a segment', () => {
    // All but nine sentences are of one document.
    const documentOf = (i: number) => Math.min(i, 9);
    const sizes = (minDocuments: number) =>
      batchSizes(2 ** 16 + 9, 120, documentOf, { segmentBytes: 2 ** 22, minDocuments });
    expect(() => sizes(10)).toThrow(
      expect.objectContaining({
        code: 'documents-too-few',
        message: expect.stringContaining('in parts'),
      }),
    );
    expect(sizes(1).length).toBeGreaterThan(10);
  });
});
