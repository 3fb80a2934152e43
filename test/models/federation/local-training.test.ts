import { expect, test } from '@jest/globals';
import { LocalTraining } from '../../../models/federation/local-training.js';
import type { ReadText } from '../../../models/networks/text-network.js';
import { Random } from '../../../models/tensor/random.js';
import { toyTexts, toyTraining } from './toy-texts.js';

test('an epoch has every text, and one copy of all of them after another', async () => {
  const own = toyTraining(toyTexts(3, 1));
  const met: string[] = [];
  const watched = (texts: readonly ReadText[], name: string) =>
    texts.map((text, i): ReadText => {
      const { tokens, labels } = text;
      const loss: ReadText['loss'] = (random, vectors) => {
        met.push(`${name} ${i}`);
        return text.loss(random, vectors);
      };
      return { tokens, labels, loss, decode: () => text.decode() };
    });
  const optimiser = { kind: 'sgd', learningRate: 0.1 } as const;
  const copies = ['first', 'second'].map((name) => watched(own.texts, name));
  const config = { optimiser, loss: 'mean' } as const;
  const training = new LocalTraining(own.network, watched(own.texts, 'text'), config, copies);
  expect(training.textsPerEpoch).toBe(6);
  const random = new Random(1);
  for (const copy of ['first', 'second', 'first']) {
    await training.epoch(random);
    const all = ['text', copy].flatMap((name) => [0, 1, 2].map((i) => `${name} ${i}`));
    expect(met.splice(0).sort()).toEqual(all.sort());
  }
  training.dispose();
});
