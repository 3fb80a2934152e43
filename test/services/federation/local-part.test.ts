import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ADAM_TRAINING, FESTAG_TRAINING } from '../../../models/federation/local-training.js';
import { localConfigOf } from '../../../models/federation/text-networks.js';
import { useBackend } from '../../../models/tensor/backend.js';
import {
  type FederationPlan,
  parseFederationPlan,
  parseFederationTask,
  planDigest,
} from '../../../proto/federation-plan.js';
import { firstWeights } from '../../../services/workflows/federation/first-weights.js';
import { type LocalNotes, localPart } from '../../../services/workflows/federation/local-part.js';
import { smallCorpus } from '../cli/small-corpus.js';

let folder: string;
const at = (name: string) => path.join(folder, name);
beforeAll(async () => {
  await useBackend('native');
  folder = await smallCorpus('tacet-local-part-', 3);
});
afterAll(async () => {
  await useBackend('cpu');
  await rm(folder, { recursive: true });
});

const PRIVATE = { epsilon: 8, delta: 1e-5 };
const planOf = (changes: Partial<FederationPlan>) => ({
  ...{ format: 1, procedure: 'averaging', network: 'deidentifier', epochs: 3, seed: 1 },
  ...{ scheme: 'a'.repeat(64), embeddings: 'words', weights: 10, workers: ['north'] },
  firstWeights: 'b'.repeat(64),
  ...{ roundSeconds: null, guarantee: null },
  ...changes,
});

test.each([
  ['another procedure', {}, /the procedure here/],
  [
    'a greater epsilon',
    { procedure: 'private-averaging', guarantee: { epsilon: 9, delta: 1e-5 } },
    /an epsilon of 9 .* agreed are 8/,
  ],
  [
    'a greater delta',
    { procedure: 'private-averaging', guarantee: { epsilon: 8, delta: 1e-3 } },
    /a delta of 0.001/,
  ],
] as const)('a worker refuses a plan of %s, and reads no note for it', (_, changes, says) =>
  expectRefused(changes, { procedure: 'private-averaging' }, says),
);

test.each([
  [
    'at a rate that nobody agreed upon',
    { learningRate: 5 },
    {},
    /a learning rate of 5; .* own here/,
  ],
  ['at another rate', { learningRate: 5 }, { learningRate: 0.3 }, /of 5; agreed is 0.3 here/],
  ["at the tagger's own rate", {}, { learningRate: 0.3 }, /tagger's own; agreed is 0.3 here/],
  ['by another loss', { loss: 'sum' }, { loss: 'mean' }, /a loss of sum; agreed is mean here/],
] as const)('a worker refuses a plan that trains %s', (_, changes, agreed, says) =>
  expectRefused(changes, { procedure: 'averaging', ...agreed }, says),
);

const work = { signal: new AbortController().signal, progress: () => undefined };

test.each([
  ['of a tagger that nobody agreed upon', { network: 'festag' }, {}, /the network here .*festag/],
  ['that is another', {}, { plan: 'c'.repeat(64) }, /has another plan .* here, --plan/],
] as const)('a worker refuses a plan %s', (_, changes, agreed, says) =>
  expectRefused(changes, { procedure: 'averaging', ...agreed }, says),
);

test('a worker refuses a plan that does not say which weights it begins with', async () => {
  const { firstWeights: _, ...plan } = planOf({});
  await expect(
    localPart(parseFederationPlan(plan), notesOf({ procedure: 'averaging' }), work),
  ).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringMatching(/which weights .* begins with/),
  });
});

test('a worker takes the plan whose digest it names', () => {
  const plan = planDigest(parseFederationPlan(planOf({})));
  // What is refused next is what it asks of the labels.
  return expectRefused({}, { procedure: 'averaging', plan }, /the label scheme here/);
});

/** What it takes to join with the notes of the folder. */
async function joinable() {
  const files = { embeddings: at('words.vec'), scheme: 'synthetic' };
  const network = {
    procedure: 'averaging',
    network: 'neuroner',
    seed: 1,
    publicEpochs: 1,
  } as const;
  const { stated } = await firstWeights({ ...network, ...files }, work);
  const plan = parseFederationPlan(planOf({ ...stated, network: 'neuroner' }));
  return { plan, agreed: { ...files, ...network, most: PRIVATE, corpus: at('notes') } };
}

test('held-out notes are none of those that are trained on', async () => {
  const { plan, agreed } = await joinable();
  await expect(localPart(plan, { ...agreed, heldOut: at('notes') }, work)).rejects.toMatchObject({
    code: 'corpus-invalid',
    message: expect.stringContaining('3 of the held-out documents are among those of training'),
  });
});

test('what a worker draws at home follows from nothing that others know', async () => {
  const { plan, agreed } = await joinable();
  const drawn: number[] = [];
  for (let time = 0; time < 2; time++) {
    const { part } = await localPart(plan, agreed, work);
    drawn.push(part.random.fork('epoch/1').uniform());
    part.training.dispose();
  }
  expect(drawn[0]).not.toBe(drawn[1]);
});

type Agreed = Pick<LocalNotes, 'procedure' | 'plan' | 'learningRate' | 'loss'>;

/** Its notes are nowhere. */
const notesOf = (agreed: Agreed): LocalNotes => ({
  ...{ network: 'deidentifier', most: PRIVATE, ...agreed },
  ...{ corpus: 'nowhere', embeddings: 'nowhere', scheme: 'phi-binary' },
});

/** Its notes are not asked for. */
async function expectRefused(
  changes: Partial<FederationPlan>,
  agreed: Agreed,
  says: RegExp,
): Promise<void> {
  const plan = parseFederationPlan(planOf(changes));
  await expect(localPart(plan, notesOf(agreed), work)).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringMatching(says),
  });
}

test('a plan trains as its network and procedure do, but for the rate and the loss that it states', () => {
  const stated = { learningRate: 0.3, loss: 'mean' } as const;
  expect(localConfigOf('selective', 'festag')).toEqual(FESTAG_TRAINING);
  expect(localConfigOf('selective', 'festag', stated)).toEqual({
    ...{ optimiser: { kind: 'sgd', learningRate: 0.3 }, loss: 'mean' },
  });
  expect(localConfigOf('averaging', 'festag', { learningRate: 0.01 })).toEqual({
    ...ADAM_TRAINING,
    optimiser: { ...ADAM_TRAINING.optimiser, learningRate: 0.01 },
  });
  // Its rate is that of the noisy steps.
  expect(localConfigOf('private-averaging', 'festag', stated)).toEqual(ADAM_TRAINING);
});

test('private averaging has a loss of its own', () => {
  const own = { procedure: 'private-averaging', guarantee: PRIVATE } as const;
  expect(parseFederationPlan(planOf({ ...own, learningRate: 0.01 })).learningRate).toBe(0.01);
  expect(() => parseFederationPlan(planOf({ ...own, loss: 'mean' }))).toThrow(/leave --loss out/);
});

test('half an epoch is no task, for there are more halves than were agreed upon', () => {
  expect(parseFederationTask({ task: 'train', epoch: 1 })).toEqual({ task: 'train', epoch: 1 });
  expect(() => parseFederationTask({ task: 'train', epoch: 0.5 })).toThrow(/epoch/);
});

test.each([
  ['private averaging that promises nothing', { procedure: 'private-averaging' }],
  ['a promise that nothing keeps', { guarantee: PRIVATE }],
] as const)('%s is no plan', (_, changes) => {
  expect(() => parseFederationPlan(planOf(changes))).toThrow(/guarantee/);
});

test.each([
  ['of no documents', { documents: 0, epochs: 1 }],
  ['for half an epoch', { documents: 1, epochs: 0.5 }],
  ['that say no epochs', { documents: 1 }],
  ['that say where they lie', { documents: 1, epochs: 1, path: 'notes' }],
])('public notes %s are no part of a plan', (_, publicNotes) => {
  const plan = planOf({ publicNotes: { documents: 3, epochs: 20 } });
  expect(parseFederationPlan(plan).publicNotes).toEqual({ documents: 3, epochs: 20 });
  expect(() => parseFederationPlan({ ...plan, publicNotes })).toThrow(
    expect.objectContaining({
      code: 'config-invalid',
      message: expect.stringContaining('publicNotes'),
    }),
  );
});
