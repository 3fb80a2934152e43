import { beforeAll, expect, jest, test } from '@jest/globals';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { flatWeights } from '../../../models/federation/flat-weights.js';
import { ADAM_TRAINING, LocalTraining } from '../../../models/federation/local-training.js';
import { generateNotes } from '../../../models/synthetic/generate-notes.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { templateDocumentId } from '../../../models/text/corpus/template-id.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { tokenise } from '../../../models/text/tokeniser.js';
import { trainingConfig } from '../../../models/training/configuration/config.js';
import type { Procedure } from '../../../study/federation/federated.js';
import { toldFromPseudonyms, toldFromUpdates } from '../../../study/sharing/sharing-attack.js';
import { untrainedNetworks } from '../../../study/sharing/untrained-networks.js';

const documents = [...generateNotes({ seed: 3, documents: 12 })];
const words = [
  ...new Set(
    documents.flatMap(({ text }) => tokenise(text).map((token) => token.text.toLowerCase())),
  ),
];
const embeddings = embeddingsFromRows(words, new Random(1).normals(4 * words.length));
const material = { embeddings, scheme: loadLabelScheme('synthetic') };

beforeAll(() => useBackend('native'));

/** Of a place with two notes, by who knows those of a provider. */
function told(way: 'averaging' | 'round-robin', known: number, augmentation = {}) {
  const config = trainingConfig({ deidentifier: { units: 3, layers: 1 }, augmentation });
  const site = (name: string, from: number, to: number) => ({
    ...{ name, documents: documents.slice(from, to) },
  });
  const options = {
    ...{ provider: site('north', 6, 6 + known), sites: [site('south', 0, 2)] },
    ...{ directory: 'unused', language: 'en' },
    ...{ unseen: [], heldOut: [site('south', 4, 6)], heldOutShare: 0, config, neighbours: 5 },
  };
  const network = untrainedNetworks(material, config).create();
  const before = flatWeights(network.parameters);
  network.dispose();
  const procedure: Procedure = { way };
  return toldFromUpdates(procedure, before, material, options, ADAM_TRAINING, {});
}

test('of a round robin, and by who knows too few notes, nothing is said', async () => {
  expect(await told('round-robin', 6)).toBeNull();
  expect(await told('averaging', 3)).toBeNull();
  expect(await told('averaging', 4)).toMatchObject({ by: 'attack' });
});

test('where places draw copies, a copy is in the update too', async () => {
  const attacks = jest.spyOn(LocalTraining.prototype, 'epoch');
  await told('averaging', 4, { replaced: 1, drawn: 2 });
  const epochs = attacks.mock.contexts as LocalTraining[];
  expect(epochs.length).toBeGreaterThan(1);
  for (const { texts, textsPerEpoch } of epochs)
    expect([texts.length, textsPerEpoch]).toEqual([2, 4]);
  attacks.mockRestore();
});

test('held-out notes of one template are one document to what pseudonyms tell', async () => {
  const toldOf = (templates: number) => {
    const measured = documents.slice(4, 8).map((document, i) => ({
      ...document,
      id: templateDocumentId(i % templates, i + 1),
    }));
    const options = {
      ...{ sites: [], unseen: [{ name: 'south', documents: measured }], heldOut: [] },
      ...{ heldOutShare: 0, config: trainingConfig({}), neighbours: 5 },
      ...{ directory: 'unused', language: 'en' },
    };
    return toldFromPseudonyms(material, options, {});
  };
  const [alone, together] = [await toldOf(4), await toldOf(1)];
  expect(alone?.interval[0]).toBeGreaterThan(0.5);
  expect(together).toEqual({ ...alone, interval: [0.5, 1] });
});
