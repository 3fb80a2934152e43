import type * as tf from '../../tensor/tf.js';
import type { Attack, AttackReport } from '../attack.js';
import { observe, observeNotes } from '../likelihood/observe.js';
import { rankOf } from '../likelihood/rank.js';
import { chooseScorer, SCORER_NAMES, type Scorer } from '../likelihood/scorer.js';
import { overTrials } from '../over-trials.js';
import { attackReport, type Outcome, shortenedTo } from '../report/attack-report.js';
import type { ClosedListOptions } from './closed-list.js';
import { listScores } from './list-scores.js';
import type { Place } from './listed-entity.js';
import { type ListedOriginal, listedOriginals } from './replaced-mentions.js';

interface Prepared {
  readonly scorer: Scorer;
  readonly originals: readonly ListedOriginal[];
}

interface Found {
  readonly outcomes: readonly Outcome[];
  readonly planned: number;
  readonly settings: AttackReport['settings'];
}

/**
 * The attack of the closed list, aimed at what nothing should tell of: the entity that stood in a note before
 * another one was drawn and encoded for it. Guessing is the very same attack on releases whose surrogates
 * were drawn for other notes, so that a list on which some surrogates are likelier than others counts for
 * both alike. If a surrogate is independent of what it stands for, the two are right equally often.
 */
export function replacedList({
  trials = 1000,
  longest = 50,
  draws = 4,
}: ClosedListOptions = {}): Attack<Prepared, Found> {
  return {
    name: 'replaced-entity',
    minutes: 1,
    reports: 1,
    obstacle: ({ replaced }) =>
      replaced === undefined
        ? 'naming the entity that another one was encoded for: nothing was replaced in what was attacked'
        : undefined,
    async prepare(target, { random }) {
      return {
        scorer: chooseScorer(target, draws, random.fork('choose')),
        originals: listedOriginals(target, longest, random.fork('lists')).slice(0, trials),
      };
    },
    async run(target, context, { scorer, originals }) {
      const { representation, vocabulary } = target;
      const random = context.random.fork('trials');
      const outcomes = await overTrials(
        originals,
        { step: 'replaced entities', unit: 'entities', least: 2 },
        context,
        (original, i): Outcome => {
          const { documentIndex, traits, places } = original;
          const own = random.fork(`${i}`);
          const isNamed = (releaseOf: (place: Place, at: number) => tf.Tensor3D) => {
            const scores = listScores(
              target,
              original,
              (place, at) => releaseOf(place, at).reshape<tf.Tensor2D>([1, -1]),
              { scorer, draws },
              own,
            );
            return rankOf(scores, 0, own) === 0;
          };
          const noise = own.fork('release');
          const success = isNamed(({ example }) => observeNotes(target, [example], noise));
          const guessed = isNamed((_, at) =>
            observe(representation, vocabulary, [places[at].otherwise], noise),
          );
          return { documentIndex, traits, success, guessed: Number(guessed) };
        },
      );
      const settings = { longestList: longest, draws, likelihood: SCORER_NAMES[scorer] };
      return { outcomes, planned: originals.length, settings };
    },
    report: ({ outcomes, planned, settings }, context) => {
      const heading = {
        name: 'replaced-entity',
        attack: 'replaced-entity',
        task: 'name the replaced entity',
        description: `knows the model and a note but for one entity that another one was encoded for, and names it by likelihood from a list of up to ${longest} of its type; guessing is the same attack where the surrogate is another note’s`,
        settings,
        shortened: shortenedTo(outcomes.length, planned, 'entities'),
      } as const;
      return [attackReport(heading, outcomes, 'tried', context)];
    },
  };
}
