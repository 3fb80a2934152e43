import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { embeddingsFromRows } from '../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../models/embeddings/vocabulary.js';
import { release } from '../../models/networks/release.js';
import { Representation } from '../../models/networks/representation.js';
import { generateNotes } from '../../models/synthetic/generate-notes.js';
import { useBackend } from '../../models/tensor/backend.js';
import { Random } from '../../models/tensor/random.js';
import { loadLabelScheme } from '../../models/text/label-scheme.js';
import { sentencesOf } from '../../models/text/labelled-sentence.js';
import { encodeElements } from '../../proto/element.js';
import { writeSegment } from '../../proto/segment.js';
import { pythonHas, runPython, testWithPython } from './run-python.js';

const MINUTES_MS = 10 * 60_000;
const E = 12;
const D = 32;
const FLOOR = 0.6;

const training = pythonHas('torch') ? testWithPython : test.skip;

training(
  `the Python example learns from a snapshot to find PHI in releases that it has not seen, with an F1 over ${FLOOR}`,
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'tacet-python-training-'));
    try {
      const file = join(root, 'snapshot.segment');
      writeFileSync(file, await snapshotOfInventedNotes());
      const options = [
        '--epochs',
        '12',
        '--units',
        '24',
        '--threads',
        '1',
        '--out',
        join(root, 'weights.pt'),
      ];
      const printed = await runPython(['examples/train_deidentifier.py', file, ...options]);
      const lines = printed
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(lines).toHaveLength(13);
      expect(lines[11].lossPerToken).toBeLessThan(lines[0].lossPerToken);
      const { f1, precision, recall, heldOut } = lines[12];
      expect(heldOut).toBeGreaterThan(100);
      expect(Math.min(f1, precision, recall)).toBeGreaterThan(FLOOR);
    } finally {
      rmSync(root, { recursive: true });
    }
  },
  MINUTES_MS,
);

/** Noisy releases of invented notes; names lie near names among the word vectors, as they do in public ones. */
async function snapshotOfInventedNotes(): Promise<Uint8Array> {
  await useBackend();
  const scheme = loadLabelScheme('phi-binary');
  const notes = [...generateNotes({ seed: 5, documents: 60 })];
  const sentences = notes.flatMap((note, index) => sentencesOf(note, scheme, index));
  /** How much more often a word is PHI than not. */
  const excess = new Map<string, number>();
  for (const { tokens, labels } of sentences)
    tokens.forEach(({ text }, t) => {
      excess.set(text, (excess.get(text) ?? 0) + ((labels[t] as number) > 0 ? 1 : -1));
    });
  const random = new Random(6);
  const words = [...excess.keys()];
  const rows = words.flatMap((word) => {
    const centre = (excess.get(word) as number) > 0 ? 1 : -1;
    return Array.from(random.normals(E), (z, k) => (k < 4 ? centre : 0) + 0.3 * z);
  });
  const vocabulary = new Vocabulary(embeddingsFromRows(words, Float32Array.from(rows)));
  const representation = Representation.create(
    {
      ...{ embeddingDimension: E, units: 4, dimension: D, casing: true, residual: true },
      ...{ initialInputStddev: 0.05, initialOutputStddev: 0.02 },
    },
    random,
  );
  const ids = sentences.map(({ tokens }) =>
    Int32Array.from(tokens, ({ text }) => vocabulary.idOf(text)),
  );
  const releases = release(representation, vocabulary, ids);
  return writeSegment(
    {
      ...{ modelDigest: 'ab'.repeat(32), labelSchemeDigest: scheme.digest, entities: 'kept' },
      ...{ dimension: D, elementType: 'float16', labelCount: scheme.labels.length },
    },
    sentences.map(({ labels }, i) => ({
      vectors: encodeElements(releases[i] as Float32Array, 'float16'),
      labels,
    })),
  );
}
