import { Random } from '../../tensor/random.js';
import type * as tf from '../../tensor/tf.js';
import type { Attack, AttackReport } from '../attack.js';
import { typedEntities } from '../entity-pools.js';
import { observeNotes } from '../likelihood/observe.js';
import { rankOf } from '../likelihood/rank.js';
import { chooseScorer, SCORER_NAMES, type Scorer } from '../likelihood/scorer.js';
import { withOneSurrogate } from '../one-surrogate.js';
import { overTrials } from '../over-trials.js';
import { attackReport, type Outcome, shortenedTo } from '../report/attack-report.js';
import type { AuditTarget } from '../target.js';
import { EntityPrior } from './entity-prior.js';
import { listScores } from './list-scores.js';
import { type ListedEntity, listedEntities, type Place } from './listed-entity.js';

export interface ClosedListOptions {
  /** Entities to name, at most. */
  readonly trials?: number;
  /** L, the entities of a list at most. */
  readonly longest?: number;
  readonly draws?: number;
}

const LEAST_ENTITIES = 10;

interface Prepared {
  readonly target: AuditTarget;
  readonly scorer: Scorer;
  readonly prior: EntityPrior;
  readonly entities: readonly ListedEntity[];
}

interface Found {
  readonly alone: readonly Outcome[];
  readonly withPrior: readonly Outcome[];
  readonly planned: number;
  readonly isReplaced: boolean;
  readonly settings: AttackReport['settings'];
}

/**
 * The attacker has the bundle, a note but for one entity, which is hidden wherever it stands with its
 * shorter forms, and a closed list of entities of its type that has it among up to L. The releases of all
 * sentences that hold it are scored under each entity of the list by exact likelihood. Chance is 1/L; with
 * the prior of how often the attacker's own notes hold each of them, it is that prior alone. Where entities
 * were replaced, each has one surrogate (`withOneSurrogate`), in fresh releases.
 */
export function closedList({
  trials = 2000,
  longest = 50,
  draws = 8,
}: ClosedListOptions = {}): Attack<Prepared, Found> {
  return {
    name: 'closed-list',
    minutes: 1.5,
    reports: 2,
    obstacle: (target) =>
      listedEntities(withOneSurrogate(target), 2, new Random(1)).length < LEAST_ENTITIES
        ? `naming an entity from a list of its type: fewer than ${LEAST_ENTITIES} have another of their type and number of words`
        : undefined,
    async prepare(given, { random }) {
      const target = withOneSurrogate(given);
      return {
        target,
        scorer: chooseScorer(target, draws, random.fork('choose')),
        prior: new EntityPrior(typedEntities([target.train, target.members ?? []], target)),
        entities: listedEntities(target, longest, random.fork('lists')).slice(0, trials),
      };
    },
    async run(given, context, { target, scorer, prior, entities }) {
      const random = context.random.fork('trials');
      const named = await overTrials(
        entities,
        { step: 'closed list', unit: 'entities', least: 2 },
        context,
        (entity, i) => {
          const own = random.fork(`${i}`);
          const release = own.fork('release');
          const releaseOf = ({ example }: Place) =>
            observeNotes(target, [example], release).reshape<tf.Tensor2D>([1, -1]);
          const scores = listScores(target, entity, releaseOf, { scorer, draws }, own);
          return nameEntity(entity, scores, prior, own.fork('ties'));
        },
      );
      return {
        alone: named.map(({ alone }) => alone),
        withPrior: named.map(({ withPrior }) => withPrior),
        planned: entities.length,
        isReplaced: given.replaced !== undefined,
        settings: { longestList: longest, draws, likelihood: SCORER_NAMES[scorer] },
      };
    },
    report: ({ alone, withPrior, planned, isReplaced, settings }, context) => {
      const rest = {
        task: 'name the entity',
        settings,
        shortened: shortenedTo(alone.length, planned, 'entities'),
      } as const;
      const whose = isReplaced ? ', which has one surrogate in fresh releases,' : '';
      const knows = `knows the model and a note but for one entity${whose} wherever it stands there, and names it by likelihood from a list of up to ${longest} of its type`;
      return [
        attackReport(
          { ...rest, name: 'closed-list', attack: 'closed-list', description: knows },
          alone,
          'tried',
          context,
        ),
        attackReport(
          {
            ...rest,
            name: 'closed-list-with-prior',
            attack: 'closed-list-with-prior',
            description: `${knows}, and by how often its own notes hold each of them; guessing is by these counts alone`,
          },
          withPrior,
          'tried',
          context,
        ),
      ];
    },
  };
}

/** Names an entity by the scores of its list, and by these and the prior; ties are broken by chance. */
function nameEntity(
  { documentIndex, type, list, traits }: ListedEntity,
  scores: Float64Array,
  prior: EntityPrior,
  random: Random,
): { readonly alone: Outcome; readonly withPrior: Outcome } {
  const logs = list.map((ids) => prior.logOf({ type, ids }));
  const outcome = (rank: number, guessed: number): Outcome => ({
    ...{ documentIndex, traits, guessed },
    success: rank === 0,
    inTopFive: rank < 5,
    inTopTen: rank < 10,
  });
  const posterior = scores.map((score, i) => score + logs[i]);
  return {
    alone: outcome(rankOf(scores, 0, random), 1 / list.length),
    withPrior: outcome(rankOf(posterior, 0, random), Number(rankOf(logs, 0, random) === 0)),
  };
}
