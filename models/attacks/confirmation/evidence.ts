import { setImmediate } from 'node:timers/promises';
import { scoped } from '../../tensor/scoped.js';
import * as tf from '../../tensor/tf.js';
import type { AttackContext } from '../attack.js';
import { likelihoods } from '../likelihood/likelihoods.js';
import type { Scoring } from '../likelihood/scorer.js';
import type { AuditTarget } from '../target.js';
import { Background } from './background.js';
import { type Guess, guessesOf, WAYS } from './guesses.js';
import type { HeldNotes, HeldSentence } from './held-notes.js';
import { populationLikelihood } from './population-likelihood.js';
import { type ReleasesOfLength, releasedSegment } from './released-segment.js';
import type { Evidence } from './sight.js';
import { Tally } from './tally.js';

/** Guesses that are scored in one go, at most. */
const MOST_GUESSES = 512;

/**
 * The evidence of each different held sentence by its key. Given that a sentence was contributed, its release is one
 * of the K releases, any of them equally likely, and the others are of the population: so the likelihood ratio
 * is the mean over all releases r of p(r | sentence) / p(r | population). `vectors` compares the vectors of
 * releases of equal length, `labels` and `lengths` are shared in clear, and `all` is all of them. Lengths are
 * gone through in random order until time is up; sentences that need one of the others have no evidence.
 */
export async function evidenceOf(
  target: AuditTarget,
  held: HeldNotes,
  { scorer, draws }: Pick<Scoring, 'scorer' | 'draws'>,
  context: AttackContext,
): Promise<Map<string, Evidence>> {
  const random = context.random.fork('evidence');
  const { representation, vocabulary } = target;
  const segment = releasedSegment(target, held.contributed, random.fork('segment'));
  const background = await Background.of(target, held.population, random.fork('background'));
  const sentences = differentSentences(held);
  const labels = [...segment.values()].flatMap((each) => each.labels);
  const guesses = guessesOf(sentences, held, labels, random.fork('guesses'));
  const tally = new Tally(held, segment);
  const lengths = [...new Set(guesses.map(({ labels: own }) => own.length))];
  random.fork('order').shuffle(lengths);
  for (const [i, length] of lengths.entries()) {
    context.signal?.throwIfAborted();
    if (i > 0 && context.expired?.()) break;
    context.progress?.({ step: 'confirmation', done: i, total: lengths.length, unit: 'lengths' });
    const own = guesses.filter((guess) => guess.labels.length === length);
    const released = segment.get(length);
    if (!released) {
      tally.addUnseen(own);
      continue;
    }
    const noise = random.fork(`noise-${length}`);
    const scores = (some: readonly Int32Array[], ways: number) =>
      scoped(() => {
        const draw = noise.fork('draws');
        const observed = tensorOf(released);
        return likelihoods(representation, vocabulary, some, observed, draws, draw, ways)[scorer];
      });
    const population = populationLikelihood(
      held.population,
      released,
      (some) => scores(some, 1),
      background,
      noise.fork('population'),
    );
    for (const some of portionsOf(own)) {
      const ways = some[0].ways.length;
      const found = scores(
        some.flatMap((guess) => guess.ways),
        ways,
      );
      tally.add(some, found, released, population);
      await setImmediate();
    }
  }
  return tally.evidence(sentences, guesses, held);
}

/** Guesses that are scored in one go: as many ways of each. */
function portionsOf(guesses: readonly Guess[]): Guess[][] {
  return [1, WAYS].flatMap((ways) => {
    const own = guesses.filter((guess) => guess.ways.length === ways);
    const count = Math.ceil(own.length / MOST_GUESSES);
    return Array.from({ length: count }, (_, i) =>
      own.slice(i * MOST_GUESSES, (i + 1) * MOST_GUESSES),
    );
  });
}

/** [K, T·d] */
function tensorOf({ vectors }: ReleasesOfLength): tf.Tensor2D {
  const width = vectors[0].length;
  const values = new Float32Array(vectors.length * width);
  vectors.forEach((each, k) => {
    values.set(each, k * width);
  });
  return tf.tensor2d(values, [vectors.length, width]);
}

function differentSentences({ notes }: HeldNotes): HeldSentence[] {
  const sentences = notes.flatMap((note) => note.sentences);
  return [...new Map(sentences.map((each) => [each.key, each])).values()];
}
