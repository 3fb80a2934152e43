import { beforeAll, describe, expect, test } from '@jest/globals';
import { conduct } from '../../../../models/attacks/attack.js';
import { viewOf } from '../../../../models/attacks/baseline-views.js';
import { membership } from '../../../../models/attacks/membership/membership.js';
import { suspects } from '../../../../models/attacks/membership/suspects.js';
import { beatsChance } from '../../../../models/attacks/report/guessing.js';
import type { Vocabulary } from '../../../../models/embeddings/vocabulary.js';
import type { View } from '../../../../models/networks/view.js';
import { useBackend } from '../../../../models/tensor/backend.js';
import { Random } from '../../../../models/tensor/random.js';
import * as tf from '../../../../models/tensor/tf.js';
import type { TextExample } from '../../../../models/training/data/examples.js';
import { DIMENSION, toyExamples } from '../../training/toy-notes.js';
import { toyTarget } from '../toy-target.js';

beforeAll(async () => {
  await useBackend();
});

const attack = membership({ limits: { maxEpochs: 20, patience: 20 } });

async function recognised(
  view: (view: View) => View,
  isMember: (example: TextExample, vocabulary: Vocabulary) => boolean,
) {
  const target = await toyTarget({ view });
  const notes = toyExamples(target.vocabulary, 900, 77);
  const members = notes.filter((example) => isMember(example, target.vocabulary));
  const test = notes.filter((example) => !isMember(example, target.vocabulary));
  const context = { random: new Random(4), comparisons: 1, trials: [], distances: [] };
  const [report] = await conduct(attack, { ...target, members, test }, context);
  return report;
}

/** The coordinate of the last word by which members are told from others. */
const TELLING = 3;

/** Moves less in the sentences of members. */
function overfitted(view: View): View {
  return viewOf(
    {
      embed: view.embed.bind(view),
      mean: (x, lengths) => {
        const telling = Array.from(lengths, (length, row) =>
          x.slice([row, length - 1, TELLING], [1, 1, 1]).dataSync()[0] > 0 ? 0.2 : 1,
        );
        return x.mul(tf.tensor3d(telling, [telling.length, 1, 1]));
      },
      inputDimension: DIMENSION,
      config: { dimension: DIMENSION },
    },
    { input: () => tf.zeros([DIMENSION]), output: () => tf.ones([DIMENSION]) },
  );
}

describe('membership', () => {
  test('recognises notes whose moved words were pushed together', async () => {
    const report = await recognised(overfitted, (example, vocabulary) => {
      const last = example.ids[example.ids.length - 1];
      return vocabulary.vectors()[last * DIMENSION + TELLING] > 0;
    });
    expect(report.success.value).toBeGreaterThan(0.8);
    expect(beatsChance(report, { comparisons: 1 })).toBe(true);
  });

  test('recognises nothing in a model that never saw the notes', async () => {
    const report = await recognised(
      (view) => view,
      ({ documentIndex }) => documentIndex % 2 === 0,
    );
    expect(beatsChance(report, { comparisons: 1 })).toBe(false);
  });

  test('draws nothing of members that depends on the strangers', async () => {
    const target = await toyTarget();
    const members = toyExamples(target.vocabulary, 300, 77);
    const membersBeside = async (strangers: number) => {
      const test = toyExamples(target.vocabulary, 300, strangers);
      const context = { random: new Random(4) };
      const { train } = await suspects({ ...target, members, test }, 150, context);
      return train.filter(({ member }) => member);
    };
    const found = await membersBeside(78);
    expect(found.length).toBeGreaterThan(20);
    expect(await membersBeside(79)).toEqual(found);
  });

  test('parts no documents that belong together, of members or of strangers', async () => {
    const target = await toyTarget();
    const [members, test] = [77, 78].map((seed) => toyExamples(target.vocabulary, 200, seed));
    const inTens = (examples: readonly TextExample[]) =>
      new Map(examples.map(({ documentIndex }) => [documentIndex, documentIndex % 10]));
    const [origins, memberOrigins] = [test, members].map(inTens);
    const found = await suspects({ ...target, members, test, origins, memberOrigins }, 200, {
      random: new Random(4),
    });
    const documents = Object.values(found).map(
      (part) => new Set(part.map(({ document }) => document)),
    );
    expect(documents.map(({ size }) => size)).toEqual([8, 2, 10]);
    expect(new Set(documents.flatMap((each) => [...each])).size).toBe(20);
  });

  test('says that it cannot be tried where all sentences of a side are to learn from', async () => {
    const target = await toyTarget();
    const members = toyExamples(target.vocabulary, 100, 77);
    const ofFewNotes = members.map((each, i) => ({ ...each, documentIndex: i % 4 }));
    expect(attack.obstacle?.({ ...target, members })).toBeUndefined();
    expect(attack.obstacle?.({ ...target, members: ofFewNotes })).toContain('too few notes');
    const memberOrigins = new Map(members.map(({ documentIndex }) => [documentIndex, 0]));
    expect(attack.obstacle?.({ ...target, members, memberOrigins })).toContain('too few notes');
  });

  test('says that it cannot be tried without the provider’s notes', async () => {
    expect(attack.obstacle?.(await toyTarget())).toContain('they were not given');
  });
});
