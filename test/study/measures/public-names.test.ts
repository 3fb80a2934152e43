import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AuditTarget } from '../../../models/attacks/target.js';
import { findCandidates } from '../../../models/embeddings/candidates.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { createInventory } from '../../../models/surrogates/create-inventory.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { phiWords } from '../../../models/training/recipes.js';
import { publicNames } from '../../../study/measures/public-names.js';
import type { Subject } from '../../../study/runs/subject.js';
import { toyTarget } from '../../models/attacks/toy-target.js';
import { toyVocabulary } from '../../models/training/toy-notes.js';

const SCHEME = loadLabelScheme('phi-binary');

let directory: string;
beforeAll(async () => {
  await useBackend();
  directory = await mkdtemp(path.join(tmpdir(), 'tacet-public-names-'));
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(97 + i));
  const text = letters.map((letter) => `Zo${letter}ro`).join('\n');
  const inventory = await createInventory(SCHEME, { lists: [{ name: 'list', type: 'PHI', text }] });
  await writeFile(path.join(directory, 'inventory.json'), JSON.stringify(inventory));
});
afterAll(() => rm(directory, { recursive: true }));

test('held-out notes of one template are one document to the limit for public names', async () => {
  const vocabulary = new Vocabulary(toyVocabulary().embeddings, { characters: true });
  const toy = await toyTarget({ vocabulary, characters: true });
  const examples = ['Kimura', 'Kimola', 'Kimena', 'Kimiko'].map((name, documentIndex) => {
    const ids = Int32Array.from(['seen', name], (word) => vocabulary.idOf(word));
    return { ids, labels: Uint8Array.of(0, 1), documentIndex };
  });
  const candidates = await findCandidates(vocabulary, phiWords(examples), 3);
  const foundBy = async (origins: AuditTarget['origins']) => {
    const target = { ...toy, candidates, test: examples, origins };
    const subject = {
      ...{ run: { directory }, scheme: SCHEME, target: async () => target },
      random: () => new Random(1),
    };
    return publicNames(subject as unknown as Subject, {});
  };
  const alone = await foundBy(undefined);
  const together = await foundBy(new Map(examples.map((_, index) => [index, 0])));
  for (const names of ['madeUp', 'public'] as const) {
    expect(alone?.[names].documents).toBe(4);
    expect(together?.[names]).toEqual({
      ...alone?.[names],
      ...{ documents: 1, bound: { value: alone?.[names].bound.value, interval: [0.5, 1] } },
    });
  }
  (toy.representation as unknown as { dispose(): void }).dispose();
});
