import { setImmediate } from 'node:timers/promises';
import type { Vocabulary } from '../../embeddings/vocabulary.js';
import type { Representation } from '../../networks/representation.js';
import type { Random } from '../../tensor/random.js';
import * as tf from '../../tensor/tf.js';
import type { StageContext } from '../run/stage-context.js';
import { lengthBuckets, paddedIds } from './batch.js';
import type { PartlyReadExample, TextExample } from './examples.js';
import type { Turns } from './turns.js';

/** Sentences whose words are known beside their vectors: of one's own notes, and of public ones. */
export interface OwnText<E = PartlyReadExample> {
  /** All of them, copies included. */
  readonly train: readonly E[];
  /** Which of `train` an epoch has, where more copies were drawn than it has. */
  readonly turns?: Turns<E> | undefined;
  readonly validation: readonly E[];
}

/**
 * Of what a representation learned from it gives vectors that tell more than those of any other text, and who learns from
 * them relies on what vectors do not tell elsewhere. So this share of such sentences is read by words alone: all
 * beside text that the representation never read, and half of them where there is no other.
 */
export function shareByWords(hasOther: boolean): number {
  return hasOther ? 1 : 0.5;
}

/** A sentence by its words alone: zeros stand for its vectors of d numbers. */
export function byWords({ ids, labels }: TextExample, d: number): PartlyReadExample {
  return { ids, labels, vectors: new Float32Array(ids.length * d) };
}

const BATCH_SENTENCES = 64;
const STEP = 'reading own text';

/**
 * Sentences with vectors such as others release beside their words, in the order given: R(x) once for each, its noise
 * drawn from `random`, so that they stay where the text is. Held in memory, 4·d bytes a token.
 */
export async function besideWords(
  examples: readonly TextExample[],
  representation: Representation,
  vocabulary: Vocabulary,
  random: Random,
  { signal, progress }: Pick<StageContext, 'signal' | 'progress'>,
): Promise<PartlyReadExample[]> {
  const d = representation.config.dimension;
  const vectors = new Map<TextExample, Float32Array>();
  for (const batch of lengthBuckets(examples, BATCH_SENTENCES)) {
    signal?.throwIfAborted();
    progress?.({ step: STEP, done: vectors.size, total: examples.length, unit: 'sentences' });
    const { steps, lengths } = batch;
    const ids = paddedIds(
      batch.examples.map((example) => example.ids),
      steps,
    );
    const noisy = tf.tidy(() => {
      const x = representation.embed(vocabulary, ids, steps);
      return representation.forward(x, lengths, random).dataSync<'float32'>();
    }); // [B, T, d]
    batch.examples.forEach((example, row) => {
      const from = row * steps * d;
      vectors.set(example, noisy.slice(from, from + example.ids.length * d));
    });
    await setImmediate();
  }
  return examples.map((example) => {
    const { ids, labels } = example;
    return { ids, labels, vectors: vectors.get(example) as Float32Array };
  });
}
