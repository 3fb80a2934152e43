import { expect, test } from '@jest/globals';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { trainingConfig } from '../../../models/training/configuration/config.js';
import { treatment } from '../../../study/sharing/pooled-sharing.js';
import type { SharingOptions } from '../../../study/sharing/sharing-result.js';

const scheme = loadLabelScheme('synthetic');
const material = { scheme, embeddings: embeddingsFromRows(['by'], new Float32Array(2)) };
const documents = Array.from({ length: 20 }, (_, i) => {
  const text = 'Seen by Berta';
  return { id: `${i}`, text, spans: [{ type: 'DOCTOR', start: 8, end: text.length }] };
});

test('the entities of a place are drawn by chance of its own, and alike whenever that is asked for', async () => {
  const options = {
    ...{ sites: [], unseen: [], heldOut: [], heldOutShare: 0.2, representations: [] },
    ...{ config: trainingConfig({}), directory: '', neighbours: 1, sources: { languages: ['en'] } },
  };
  const { treated } = await treatment(
    { way: 'replaced text' },
    material,
    options as unknown as SharingOptions,
    {},
  );
  const textsOf = (name: string, copy: number) =>
    treated?.({ name, documents }, copy).map(({ text }) => text);
  const drawn = [
    textsOf('north', 0),
    textsOf('north', 1),
    textsOf('south', 0),
    textsOf('south', 1),
  ].map((texts) => texts?.join('\n'));
  expect(new Set(drawn).size).toBe(4);
  expect(textsOf('south', 1)?.join('\n')).toBe(drawn[3]);
});
