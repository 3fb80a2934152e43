import { setImmediate } from 'node:timers/promises';
import { scoped } from '../../tensor/scoped.js';
import * as tf from '../../tensor/tf.js';
import type { AttackContext } from '../attack.js';
import { likelihoods } from '../likelihood/likelihoods.js';
import type { Scoring } from '../likelihood/scorer.js';
import type { AuditTarget } from '../target.js';
import { Background } from './background.js';
import { guessesOf } from './guesses.js';
import type { HeldNotes, HeldSentence } from './held-notes.js';
import { type Likelihood, populationLikelihood } from './population-likelihood.js';
import { releasedSegment } from './released-segment.js';
import type { Evidence } from './sight.js';
import { Tally } from './tally.js';

/** Sentences that are scored in one go. */
const MOST_SENTENCES = 1024;

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
  const lengths = [...new Set(guesses.map(({ ids }) => ids.length))];
  random.fork('order').shuffle(lengths);
  for (const [i, length] of lengths.entries()) {
    context.signal?.throwIfAborted();
    if (i > 0 && context.expired?.()) break;
    context.progress?.({ step: 'confirmation', done: i, total: lengths.length, unit: 'lengths' });
    const own = guesses.filter(({ ids }) => ids.length === length);
    const released = segment.get(length);
    if (released) {
      const noise = random.fork(`noise-${length}`);
      const likelihood: Likelihood = (some) =>
        scoped(() => {
          const observed = tf.tensor2d(released.vectors.map((each) => [...each]));
          return likelihoods(
            representation,
            vocabulary,
            some,
            observed,
            draws,
            noise.fork('draws'),
          )[scorer];
        });
      const population = populationLikelihood(
        held.population,
        released,
        likelihood,
        background,
        noise.fork('population'),
      );
      for (let from = 0; from < own.length; from += MOST_SENTENCES) {
        const some = own.slice(from, from + MOST_SENTENCES);
        tally.add(some, likelihood(some.map(({ ids }) => ids)), released, population);
        await setImmediate();
      }
    } else {
      tally.addUnseen(own);
    }
  }
  return tally.evidence(sentences, guesses, held);
}

function differentSentences({ notes }: HeldNotes): HeldSentence[] {
  const sentences = notes.flatMap((note) => note.sentences);
  return [...new Map(sentences.map((each) => [each.key, each])).values()];
}
