import type { TypeOf } from '../../proto/typed-schema.js';
import { accuracyLimit, LEAST_ACCURACY } from '../certification/accuracy.js';
import { moveEntity } from '../certification/move.js';
import { documentsOf, estimate } from '../statistics/estimate.js';
import { ofOrigins } from '../statistics/origins.js';
import { quantile } from '../statistics/quantile.js';
import type { Random } from '../tensor/random.js';
import type { AttackContext } from './attack.js';
import { twinDistances } from './distances.js';
import { entitiesOf, entityTraits } from './entities.js';
import { withOneSurrogate } from './one-surrogate.js';
import type { ENTITY_BOUND } from './report/audit-schema.js';
import { slicesOf } from './report/slices.js';
import type { AuditTarget } from './target.js';
import { TraitReader } from './traits.js';

/** The limit on telling a document from one in which an entity is another wherever it occurs. */
export type EntityBoundReport = TypeOf<typeof ENTITY_BOUND>;

/**
 * All movable tokens of an entity become other candidates, the same ones in every sentence of its
 * document, and so do its words wherever else they are PHI there. The attacker has one release of each
 * sentence. Given the input noise, the releases together are Gaussians at distance √ΣΔᵢ², and Φ(½√s) is
 * concave: no test is right more often than Φ(½√ΣE[Δᵢ²]). Where entities were replaced, each has one surrogate
 * (`withOneSurrogate`).
 */
export async function entityBound(
  given: AuditTarget,
  draws: number,
  mostEntities: number,
  random: Random,
  context: Pick<AttackContext, 'signal' | 'progress' | 'comparisons' | 'origins'>,
): Promise<EntityBoundReport> {
  const target = withOneSurrogate(given);
  const { candidates, test, vocabulary } = target;
  const movable = entitiesOf(test, vocabulary).filter(({ appearances }) =>
    appearances.some(({ example, tokens }) =>
      tokens.some((token) => candidates.isMovable(example.ids[token])),
    ),
  );
  random.shuffle(movable);
  const entities = movable.slice(0, mostEntities);
  const twins = entities.flatMap(({ appearances }, entity) => {
    const known = new Map<number, number>();
    const drawn = (id: number) => {
      const word = vocabulary.uncased(id);
      const share = known.get(word) ?? random.uniform();
      known.set(word, share);
      return candidates.draw(id, { integer: (n) => Math.floor(share * n) });
    };
    return appearances.map(({ example: { ids }, tokens }) => {
      return { entity, ids, twin: moveEntity(ids, tokens, drawn) };
    });
  });
  const distances = await twinDistances(target, twins, draws, random, context);
  const sums = new Float64Array(entities.length);
  twins.forEach(({ entity }, i) => {
    sums[entity] += distances[i].reduce((a, b) => a + b, 0) / draws;
  });
  const recurring = entities.filter(({ appearances }) => appearances.length > 1).length;
  const bounds = Array.from(sums, accuracyLimit);
  const traits = new TraitReader(target);
  const observed = ofOrigins(
    entities.map((entity, i) => ({
      documentIndex: entity.documentIndex,
      value: bounds[i],
      traits: entityTraits(entity, traits),
    })),
    context.origins,
  );
  return {
    entities: entities.length,
    documents: documentsOf(observed),
    bound: estimate(observed, context.comparisons, LEAST_ACCURACY),
    median: quantile(bounds, 0.5) ?? LEAST_ACCURACY,
    percentile95: quantile(bounds, 0.95) ?? LEAST_ACCURACY,
    maximum: quantile(bounds, 1) ?? LEAST_ACCURACY,
    meanSentences: twins.length / Math.max(1, entities.length),
    ...(given.replaced && { recurring: recurring / Math.max(1, entities.length) }),
    slices: slicesOf(observed, LEAST_ACCURACY),
  };
}
