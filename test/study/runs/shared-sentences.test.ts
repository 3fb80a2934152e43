import { describe, expect, test } from '@jest/globals';
import { Random } from '../../../models/tensor/random.js';
import type { Document } from '../../../models/text/document.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { TRAINING_DEFAULTS } from '../../../models/training/configuration/config.js';
import type { TextExample } from '../../../models/training/data/examples.js';
import { examplesOfEpoch } from '../../../models/training/data/turns.js';
import {
  type SharedNotes,
  type SharedSentences,
  sharedSentences,
} from '../../../study/runs/shared-sentences.js';
import type { Site } from '../../../study/runs/sites.js';

const SENTENCES = [
  'The patient was seen in the clinic by Doctor NAME for a routine review of his blood pressure.',
  'He was referred by Doctor NAME to the department of surgery after his accident in the factory.',
  'A letter was sent to Doctor NAME with the results of all examinations of the previous week.',
  'The next appointment was made with Doctor NAME for the first day of the following month.',
];

/** Of two notes that follow each other the second is a copy of the first. */
const notes = Array.from({ length: 24 }, (_, i): Document => {
  const text = SENTENCES.map((sentence) => sentence.replace('NAME', `Number${i >> 1}`)).join('\n');
  return { id: `${i}`, text, spans: [] };
});

/** A sentence of each document, told by its number. */
function read(documents: readonly Document[]): TextExample[] {
  return documents.map(({ id }) => {
    return { ids: Int32Array.of(Number(id)), labels: new Uint8Array(1), documentIndex: Number(id) };
  });
}

/** Gives each note entities of its own, in each of its copies. */
function treated({ documents }: Site, copy: number): Document[] {
  return documents.map(({ text, ...document }) => ({
    ...document,
    text: text.replaceAll(/Number\d+/g, `Other${document.id}of${copy}`),
  }));
}

const config = { ...TRAINING_DEFAULTS, validationShare: 0.25 };

function share(more: Partial<SharedNotes>): Promise<SharedSentences> {
  const shared = {
    ...{ sites: [{ name: 'here', documents: notes }], unseen: [] },
    heldOut: [{ name: 'here', documents: [] }],
    heldOutShare: 0.2,
    config,
    ...more,
  };
  const reading = { known: read, own: async (documents: readonly Document[]) => read(documents) };
  return sharedSentences(shared, reading, new Random(1));
}

describe('sentences that are shared', () => {
  test('of a note that validates are learned from in none of its copies, whose entities are others', async () => {
    const { train, validation } = await share({ copies: { provider: 1, sites: 3 }, treated });
    const held = new Set(validation.map(({ documentIndex }) => documentIndex));
    expect(held.size).toBe(6);
    expect(train.filter(({ documentIndex }) => held.has(documentIndex))).toEqual([]);
    expect(train).toHaveLength(3 * (notes.length - held.size));
  });

  test('are learned from once an epoch, however often they are shared, beside copies with other entities', async () => {
    const { train, validation, turns } = await share({
      copies: { provider: 1, sites: 3 },
      treated,
      copied: { scheme: loadLabelScheme('synthetic'), language: 'en' },
      config: { ...config, augmentation: { ...config.augmentation, replaced: 1, drawn: 2 } },
    });
    const learned = notes.length - validation.length;
    expect(train).toHaveLength((3 + 2) * learned);
    for (const epoch of [1, 2, 3, 4])
      expect(examplesOfEpoch({ train, turns }, epoch)).toHaveLength(2 * learned);
  });

  test('validate with the same notes whether their entities are others or not, near copies together', async () => {
    const [asTheyAre, replaced] = await Promise.all([share({}), share({ treated })]);
    const numbers = replaced.validation.map(({ documentIndex }) => documentIndex);
    expect(numbers).toEqual(asTheyAre.validation.map(({ documentIndex }) => documentIndex));
    expect(numbers.map((number) => number ^ 1).sort()).toEqual([...numbers].sort());
  });
});
