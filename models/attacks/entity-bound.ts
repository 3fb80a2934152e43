import type { Random } from '../tensor/random.js';
import { standardNormalCdf } from '../tensor/standard-normal.js';
import type { TextExample } from '../training/examples.js';
import { isPhi } from '../training/move.js';
import type { StageContext } from '../training/stage.js';
import { LEAST_BOUND, twinDistances } from './distances.js';
import { type Entity, entitiesOf } from './entities.js';
import { type Estimate, estimate } from './estimate.js';
import { quantile } from './quantile.js';
import type { AuditTarget } from './target.js';

/** The limit on telling a document from one in which an entity is another wherever it occurs. */
export interface EntityBoundReport {
  readonly entities: number;
  readonly documents: number;
  readonly bound: Estimate;
  readonly median: number;
  readonly percentile95: number;
  readonly maximum: number;
  /** Sentences of a document that hold the entity, or one of its words as PHI. */
  readonly meanSentences: number;
}

/**
 * All movable tokens of an entity become other candidates, the same ones in every sentence of its
 * document, and so do its words wherever else they are PHI there: who is no longer "Ana García" is no
 * longer "García". Numbers move with their entity alone, since others share them by chance. The
 * attacker has one release of each sentence. Given the input noise, the releases together are
 * Gaussians at distance √ΣΔᵢ², and Φ(½√s) is concave: no test is right more often than
 * Φ(½√ΣE[Δᵢ²]).
 */
export async function entityBound(
  target: AuditTarget,
  draws: number,
  mostEntities: number,
  random: Random,
  context: Pick<StageContext, 'signal' | 'progress'> & { comparisons: number },
): Promise<EntityBoundReport> {
  const isMovable = (id: number) => target.candidates.of(id).length > 0;
  const movable = entitiesOf(target.test).filter(({ ids }) => ids.some(isMovable));
  random.shuffle(movable);
  const entities = movable.slice(0, mostEntities);
  const documents = byDocument(target.test);
  const twins = entities.flatMap((each, entity) => {
    const drawn = new Map(each.ids.map((id) => [id, target.candidates.draw(id, random)]));
    const isShared = (id: number) => isMovable(id) && !target.vocabulary.isDigits(id);
    return (documents.get(each.documentIndex) ?? []).flatMap((example) => {
      const moving = placesIn(example, each, isShared);
      const twin = example.ids.map((id, place) => (moving.has(place) ? (drawn.get(id) ?? id) : id));
      return moving.size === 0 ? [] : [{ entity, ids: example.ids, twin }];
    });
  });
  const distances = await twinDistances(target, twins, draws, random, context);
  const sums = new Float64Array(entities.length);
  twins.forEach(({ entity }, i) => {
    sums[entity] += distances[i].reduce((a, b) => a + b, 0) / draws;
  });
  const bounds = Array.from(sums, (sum) => standardNormalCdf(Math.sqrt(sum) / 2));
  return {
    entities: entities.length,
    documents: new Set(entities.map(({ documentIndex }) => documentIndex)).size,
    bound: estimate(
      entities.map(({ documentIndex }, i) => ({ documentIndex, value: bounds[i] })),
      context.comparisons,
      LEAST_BOUND,
    ),
    median: quantile(bounds, 0.5) ?? LEAST_BOUND,
    percentile95: quantile(bounds, 0.95) ?? LEAST_BOUND,
    maximum: quantile(bounds, 1) ?? LEAST_BOUND,
    meanSentences: twins.length / Math.max(1, entities.length),
  };
}

/** Where a sentence holds an entity whole, or as PHI one of its words that are shared. */
function placesIn(
  example: TextExample,
  { ids, places }: Entity,
  isShared: (id: number) => boolean,
): Set<number> {
  const whole = places
    .filter((place) => place.example === example)
    .flatMap(({ start }) => ids.map((_, i) => start + i));
  const words = [...example.ids.keys()].filter((place) => {
    const id = example.ids[place];
    return isPhi(example, place) && ids.includes(id) && isShared(id);
  });
  return new Set([...whole, ...words]);
}

function byDocument(examples: readonly TextExample[]): Map<number, TextExample[]> {
  const documents = new Map<number, TextExample[]>();
  for (const example of examples)
    documents.set(example.documentIndex, [
      ...(documents.get(example.documentIndex) ?? []),
      example,
    ]);
  return documents;
}
