import type { Random } from '../tensor/random.js';
import { standardNormalCdf } from '../tensor/standard-normal.js';
import type { TextExample } from '../training/examples.js';
import { isPhi } from '../training/move.js';
import type { StageContext } from '../training/stage.js';
import { twinDistances } from './distances.js';
import { type Estimate, estimate } from './estimate.js';
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

interface Entity {
  readonly documentIndex: number;
  readonly ids: readonly number[];
  readonly places: { readonly example: TextExample; readonly start: number }[];
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
  const sorted = [...bounds].sort((a, b) => a - b);
  const quantile = (q: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
  return {
    entities: entities.length,
    documents: new Set(entities.map(({ documentIndex }) => documentIndex)).size,
    bound: estimate(
      entities.map(({ documentIndex }, i) => ({ documentIndex, value: bounds[i] })),
      context.comparisons,
      0.5,
    ),
    median: quantile(0.5),
    percentile95: quantile(0.95),
    maximum: sorted[sorted.length - 1],
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

/** Spans of B and I labels; equal words in one document are one entity. */
function entitiesOf(examples: readonly TextExample[]): Entity[] {
  const entities = new Map<string, Entity>();
  for (const example of examples) {
    for (const [start, end] of spansOf(example.labels)) {
      const { documentIndex } = example;
      const ids = [...example.ids.subarray(start, end)];
      const key = `${documentIndex}:${ids}`;
      const entity = entities.get(key) ?? { documentIndex, ids, places: [] };
      entity.places.push({ example, start });
      entities.set(key, entity);
    }
  }
  return [...entities.values()];
}

/** Label ids are 0 for O, then B and I in turn: odd ones begin a span. */
function spansOf(labels: Uint8Array): [start: number, end: number][] {
  const spans: [number, number][] = [];
  for (let start = 0; start < labels.length; start++) {
    if (labels[start] === 0) continue;
    let end = start + 1;
    while (end < labels.length && labels[end] > 0 && labels[end] % 2 === 0) end += 1;
    spans.push([start, end]);
    start = end - 1;
  }
  return spans;
}
