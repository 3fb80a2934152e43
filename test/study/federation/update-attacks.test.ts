import { beforeAll, expect, test } from '@jest/globals';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { flatWeights } from '../../../models/federation/flat-weights.js';
import { FESTAG_SELECTION } from '../../../models/federation/selective-sgd.js';
import { FESTAG_DEFAULTS, FestagTagger } from '../../../models/networks/festag-tagger.js';
import type { LabelledText } from '../../../models/networks/text-network.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { tokenise } from '../../../models/text/tokeniser.js';
import { attackUpdates } from '../../../study/federation/update-attacks.js';

const DIMENSION = 16;
const WORDS = [
  ...['berta', 'carla', 'david', 'emil', 'frida', 'gustav', 'hanna', 'ida'],
  ...['patient', 'seen', 'fever', 'pain', 'cough', 'liver'],
];
const sizes = { dimension: DIMENSION, labels: 3, characterUnits: 3, units: 12, hidden: 8 };

function textOf(line: string, names: readonly string[]): LabelledText {
  const tokens = tokenise(line);
  const labels = Uint8Array.from(tokens, ({ text }) => Number(names.includes(text)));
  return [{ documentIndex: 0, tokens, labels }];
}

const TEXTS = {
  holders: [[textOf('patient Berta seen fever', ['Berta'])], [textOf('Emil cough', ['Emil'])]],
  outsiders: [textOf('Frida seen pain', ['Frida'])],
  // The names of the holders' texts stand in other texts too.
  known: [textOf('Emil pain liver', ['Emil']), textOf('fever Berta seen', ['Berta'])],
};

let network: FestagTagger;
let vocabulary: Vocabulary;
beforeAll(async () => {
  await useBackend('native');
  const vectors = new Random(4).normals(WORDS.length * DIMENSION);
  vocabulary = new Vocabulary(embeddingsFromRows(WORDS, vectors));
  network = new FestagTagger(
    { ...FESTAG_DEFAULTS, ...sizes, dropout: 0 },
    vocabulary,
    new Random(1),
  );
});

/** By an update of selective SGD whose changes are over τ. */
const attacked = (threshold: number) =>
  attackUpdates(
    TEXTS,
    {
      ...{ network, vocabulary, before: flatWeights(network.parameters) },
      training: { optimiser: { kind: 'sgd', learningRate: 0.1 }, loss: 'mean' },
      update: { kind: 'selected', selection: { ...FESTAG_SELECTION, uploadShare: 1, threshold } },
      ...{ neighbours: 5, pairs: 2, draws: 2 },
    },
    new Random(3),
    {},
  );

test('where nothing was sent nothing is told, and the blind attacks see no more', async () => {
  const { told, toldBlind, spanned, spannedBlind } = await attacked(1e9);
  expect([told.value, toldBlind.value]).toEqual([0.5, 0.5]);
  // Words are ranked by how the last bits were rounded.
  expect(spannedBlind).toEqual(spanned);
});

test('where all was sent the words of a text are ranked over others', async () => {
  expect((await attacked(0)).spanned.value).toBe(1);
});
