import { setImmediate } from 'node:timers/promises';
import { scoped } from '../../tensor/scoped.js';
import * as tf from '../../tensor/tf.js';
import type { AttackContext } from '../attack.js';
import { windowLikelihoods } from '../likelihood/likelihoods.js';
import type { Scoring } from '../likelihood/scorer.js';
import type { Window } from '../likelihood/window.js';
import type { AuditTarget } from '../target.js';
import { Background } from './background.js';
import { type Guess, guessesOf, WAYS } from './guesses.js';
import type { HeldNotes } from './held-notes.js';
import { heldPieces } from './held-piece.js';
import { jointEvidence } from './joint-evidence.js';
import { populationLikelihood } from './population-likelihood.js';
import { type ReleasesOfLength, releasedSegment } from './released-segment.js';
import type { Evidence } from './sight.js';
import { Tally } from './tally.js';

/** Guesses that are scored in one go, at most. */
const MOST_GUESSES = 512;

/** Scores of guesses and releases that are kept at once, if one guess has no more. */
const MOST_SCORES = 2 ** 23;

/**
 * The evidence of each different held sentence by its key, from the pieces that it left as if it was contributed.
 * Given that a piece was contributed, its release is one of the K releases, any of them equally likely, and the
 * others are of the population: so the likelihood ratio is the mean over all releases r of
 * p(r | piece) / p(r | population). `vectors` compares the vectors of releases of equal length, `labels` and
 * `lengths` are shared in clear, and `all` is all of them. Lengths are gone through in random order until time is
 * up; sentences that need one of the others have no evidence.
 */
export async function evidenceOf(
  target: AuditTarget,
  held: HeldNotes,
  { scorer, draws }: Pick<Scoring, 'scorer' | 'draws'>,
  context: AttackContext,
): Promise<Map<string, Evidence>> {
  const random = context.random.fork('evidence');
  const { representation: view, vocabulary } = target;
  const segment = releasedSegment(target, held.contributed, held.cut, random.fork('segment'));
  const background = await Background.of(target, held.population, random.fork('background'));
  const bySentence = heldPieces(held);
  const pieces = [...bySentence.values()].flat();
  const labels = [...segment.values()].flatMap((each) => each.labels);
  const guesses = guessesOf(pieces, held, labels, random.fork('guesses'));
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
    const scores = (some: readonly Window[], ways: number) =>
      scoped(() => {
        const draw = noise.fork('draws');
        const observed = tensorOf(released);
        const found = windowLikelihoods(view, vocabulary, some, observed, draws, draw, ways);
        return found[scorer];
      });
    const population = populationLikelihood(
      held.populationPieces,
      released,
      (some) => scores(some, 1),
      background,
      noise.fork('population'),
    );
    for (const some of portionsOf(own, released.labels.length)) {
      const ways = some[0].ways.length;
      const found = scores(
        some.flatMap((guess) => guess.ways),
        ways,
      );
      tally.add(some, found, released, population);
      await setImmediate();
    }
  }
  const ratios = tally.ratios(pieces, guesses, held);
  return new Map(
    [...bySentence].flatMap(([key, own]) => {
      const parts = own.flatMap((piece) => ratios.get(piece.key) ?? []);
      return parts.length === own.length ? [[key, jointEvidence(parts)] as const] : [];
    }),
  );
}

/** Guesses that are scored against so many releases in one go: as many ways of each, in sentences of like length. */
function portionsOf(guesses: readonly Guess[], releases: number): Guess[][] {
  const most = Math.min(MOST_GUESSES, Math.max(1, Math.floor(MOST_SCORES / releases)));
  return [1, WAYS].flatMap((ways) => {
    const own = guesses
      .filter((guess) => guess.ways.length === ways)
      .sort((a, b) => tokensOf(a) - tokensOf(b));
    const count = Math.ceil(own.length / most);
    return Array.from({ length: count }, (_, i) => own.slice(i * most, (i + 1) * most));
  });
}

/** Of the longest sentence. */
function tokensOf({ ways }: Guess): number {
  return Math.max(...ways.map(({ ids }) => ids.length));
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
