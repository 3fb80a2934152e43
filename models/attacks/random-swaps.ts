import type { TypeOf } from '../../proto/typed-schema.js';
import { LEAST_ACCURACY } from '../certification/accuracy.js';
import { pairBound } from '../certification/bounds.js';
import type { Vocabulary } from '../embeddings/vocabulary.js';
import { documentsOf, estimate } from '../statistics/estimate.js';
import { meanOf } from '../statistics/mean-of.js';
import { ofOrigins } from '../statistics/origins.js';
import { quantile } from '../statistics/quantile.js';
import type { Random } from '../tensor/random.js';
import type { TextExample } from '../training/data/examples.js';
import type { AttackContext } from './attack.js';
import { twinDistances } from './distances.js';
import { type Entity, entitiesOf } from './entities.js';
import { EntityPools, typedEntities, wholeAppearancesOf } from './entity-pools.js';
import type { RANDOM_SWAPS } from './report/audit-schema.js';
import { slicesOf } from './report/slices.js';
import type { AuditTarget } from './target.js';
import { TraitReader, typeOf } from './traits.js';

/** The limit on telling a sentence from one in which an entity is a random other one. */
export type RandomSwapReport = TypeOf<typeof RANDOM_SWAPS>;

/** Where all words of an entity stand. */
interface WholeAppearance {
  readonly example: TextExample;
  readonly start: number;
}

interface Swap extends WholeAppearance {
  readonly documentIndex: number;
  readonly ids: readonly number[];
  /** Another entity of the same type and token count. */
  readonly other: readonly number[];
}

/**
 * What the certified bound does not cover: one appearance of an entity becomes another entity of the
 * same type and token count, drawn uniformly from those of all the audit's notes, near or far. The
 * attacker has one release of the sentence; the limit is that of the certified bound, for these pairs.
 */
export async function randomSwaps(
  target: AuditTarget,
  draws: number,
  mostEntities: number,
  random: Random,
  context: Pick<AttackContext, 'signal' | 'progress' | 'comparisons' | 'origins'>,
): Promise<RandomSwapReport> {
  const isMovable = (id: number) => target.candidates.isMovable(id);
  const entities = entitiesOf(target.test, target.vocabulary).filter(({ ids, appearances }) =>
    wholeAppearancesOf(appearances).some((each) => wordsAt(each, ids.length).some(isMovable)),
  );
  random.shuffle(entities);
  const tried = entities.slice(0, mostEntities);
  const swaps = drawSwaps(target, tried, random);
  const traits = new TraitReader(target);
  const boundsOf = async (twinOf: (swap: Swap) => readonly number[]) => {
    const twins = swaps.map((swap) => ({
      ids: swap.example.ids,
      twin: replaceWords(swap, twinOf(swap), target.vocabulary),
    }));
    const distances = await twinDistances(target, twins, draws, random, context);
    const bounds = distances.map((squared) => pairBound(squared));
    const observed = ofOrigins(
      swaps.map(({ documentIndex, example, start }, i) => {
        return { documentIndex, value: bounds[i], traits: traits.of(example, start) };
      }),
      context.origins,
    );
    const bound = estimate(observed, context.comparisons, LEAST_ACCURACY);
    return { distances, bounds, bound, slices: slicesOf(observed, LEAST_ACCURACY) };
  };
  const far = await boundsOf(({ other }) => other);
  const near = await boundsOf((swap) =>
    wordsAt(swap, swap.ids.length).map((id) => target.candidates.draw(id, random)),
  );
  const means = far.distances.map((squared) => meanOf([...squared].map(Math.sqrt)));
  return {
    swaps: swaps.length,
    documents: documentsOf(ofOrigins(swaps, context.origins)),
    draws,
    unmatched: tried.length - swaps.length,
    bound: far.bound,
    median: quantile(far.bounds, 0.5) ?? LEAST_ACCURACY,
    percentile95: quantile(far.bounds, 0.95) ?? LEAST_ACCURACY,
    maximum: quantile(far.bounds, 1) ?? LEAST_ACCURACY,
    medianDistance: quantile(means, 0.5) ?? 0,
    nearby: near.bound,
    slices: far.slices,
  };
}

/** For each entity one of its appearances and another entity; those that have no other are left out. */
function drawSwaps(target: AuditTarget, entities: readonly Entity[], random: Random): Swap[] {
  const { train, validation, test } = target;
  const pools = new EntityPools(typedEntities([train, validation, test], target));
  return entities.flatMap(({ ids, documentIndex, appearances }) => {
    const whole = wholeAppearancesOf(appearances);
    const appearance = whole[random.integer(whole.length)];
    const { example, start } = appearance;
    const others = pools.othersLike({ type: typeOf(target.labels, example.labels[start]), ids });
    if (others.length === 0) return [];
    return [{ ...appearance, documentIndex, ids, other: others[random.integer(others.length)] }];
  });
}

/** The `count` words of an appearance, as they are written there. */
function wordsAt({ example, start }: WholeAppearance, count: number): number[] {
  return [...example.ids.subarray(start, start + count)];
}

/** Other words in their place, in the casing of what stood there. */
function replaceWords(
  { example, start }: WholeAppearance,
  words: readonly number[],
  vocabulary: Vocabulary,
): Int32Array {
  const ids = example.ids.slice();
  words.forEach((word, i) => {
    ids[start + i] = vocabulary.inCasing(word, vocabulary.casing(ids[start + i]));
  });
  return ids;
}
