import { pairBound } from '../../certification/bounds.js';
import type { Random } from '../../tensor/random.js';
import * as tf from '../../tensor/tf.js';
import type { AttackContext, AttackReport } from '../attack.js';
import { curveOf, type JudgedPair, pairReport } from '../report/attack-report.js';
import type { AuditTarget } from '../target.js';
import { likelihoods } from './likelihoods.js';
import { observeRepeatedly } from './observe.js';
import { withSuccess } from './pair-statistics.js';
import { heldOption, judgedOption, type PairTrial } from './pair-trials.js';
import { type Scoring, sumOf } from './scorer.js';

/**
 * Judges a pair at each number of releases, knowing both of its sentences. Nobody can know more, so
 * of all attacks on pairs this one is nearest to the certified bound, and equal to it where there is
 * no input noise.
 */
export function tellTwins(
  { representation, vocabulary }: AuditTarget,
  trial: PairTrial,
  squared: ArrayLike<number>,
  { scorer, draws, releases }: Scoring,
  random: Random,
): JudgedPair[] {
  const { example, twin, real, released, traits } = trial;
  const { documentIndex } = example;
  const sentences = [example.ids, twin];
  const judged = judgedOption(trial) === 0 ? 0 : 1;
  const held = heldOption(trial) === 0 ? 0 : 1;
  const K = Math.max(...releases);
  const observed = released
    ? tf.tensor2d(released, [1, released.length])
    : observeRepeatedly(representation, vocabulary, sentences[judged], K, random);
  const found = likelihoods(representation, vocabulary, sentences, observed, draws, random);
  return releases.map((count) => {
    const [one, other] = [held, 1 - held].map((v) => sumOf(found[scorer], v * K, count));
    const limit = pairBound(squared, count);
    const isGiven = released !== undefined;
    return { documentIndex, score: one - other, real, limit, isGiven, traits };
  });
}

/** The report of pairs that `tellTwins` judged. */
export function twinsReport(
  twins: readonly (readonly JudgedPair[])[],
  releases: readonly number[],
  rest: Pick<AttackReport, 'settings' | 'shortened'>,
  context: AttackContext,
): AttackReport {
  return pairReport(
    {
      ...rest,
      name: 'known-noise-twins',
      attack: 'known-noise-twins',
      task: 'tell a pair apart',
      description:
        'knows the model and both sentences of a pair, and tells by likelihood of which one a release is',
      curves: [
        curveOf('releases', releases, (i) => withSuccess(twins.map((each) => each[i])), context),
      ],
    },
    twins.map(([first]) => first),
    context,
  );
}
