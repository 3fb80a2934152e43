import { accuracyLimit, LEAST_ACCURACY } from '../certification/accuracy.js';
import { appearancesIn, isSharedWord } from '../certification/entity.js';
import { moveEntity } from '../certification/move.js';
import { type Estimate, estimate } from '../statistics/estimate.js';
import { quantile } from '../statistics/quantile.js';
import type { Random } from '../tensor/random.js';
import type { TextExample } from '../training/examples.js';
import type { StageContext } from '../training/stage-context.js';
import { twinDistances } from './distances.js';
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
 * document, and so do its words wherever else they are PHI there. The attacker has one release of each
 * sentence. Given the input noise, the releases together are Gaussians at distance √ΣΔᵢ², and Φ(½√s) is
 * concave: no test is right more often than Φ(½√ΣE[Δᵢ²]).
 */
export async function entityBound(
  target: AuditTarget,
  draws: number,
  mostEntities: number,
  random: Random,
  context: Pick<StageContext, 'signal' | 'progress'> & { comparisons: number },
): Promise<EntityBoundReport> {
  const { candidates } = target;
  const movable = entitiesOf(target).filter(({ places }) =>
    places.some(({ example, tokens }) =>
      tokens.some((token) => candidates.isMovable(example.ids[token])),
    ),
  );
  random.shuffle(movable);
  const entities = movable.slice(0, mostEntities);
  const twins = entities.flatMap(({ places }, entity) => {
    const known = new Map<number, number>();
    const drawn = (id: number) => {
      const word = known.get(id) ?? candidates.draw(id, random);
      known.set(id, word);
      return word;
    };
    return places.map(({ example: { ids }, tokens }) => {
      return { entity, ids, twin: moveEntity(ids, tokens, drawn) };
    });
  });
  const distances = await twinDistances(target, twins, draws, random, context);
  const sums = new Float64Array(entities.length);
  twins.forEach(({ entity }, i) => {
    sums[entity] += distances[i].reduce((a, b) => a + b, 0) / draws;
  });
  const bounds = Array.from(sums, accuracyLimit);
  return {
    entities: entities.length,
    documents: new Set(entities.map(({ documentIndex }) => documentIndex)).size,
    bound: estimate(
      entities.map(({ documentIndex }, i) => ({ documentIndex, value: bounds[i] })),
      context.comparisons,
      LEAST_ACCURACY,
    ),
    median: quantile(bounds, 0.5) ?? LEAST_ACCURACY,
    percentile95: quantile(bounds, 0.95) ?? LEAST_ACCURACY,
    maximum: quantile(bounds, 1) ?? LEAST_ACCURACY,
    meanSentences: twins.length / Math.max(1, entities.length),
  };
}

/** An entity of one document, with the sentences where it stands. */
interface Entity {
  readonly documentIndex: number;
  readonly places: { readonly example: TextExample; readonly tokens: readonly number[] }[];
}

function entitiesOf({ test, vocabulary }: AuditTarget): Entity[] {
  const isShared = (id: number) => isSharedWord(vocabulary.wordOf(id) ?? '');
  return [...byDocument(test)].flatMap(([documentIndex, examples]) => {
    const sentences = examples.map(({ ids, labels }) => ({
      labels,
      wordAt: (token: number) => ids[token],
    }));
    const entities = new Map<string, Entity>();
    for (const [i, appearances] of appearancesIn(sentences, isShared).entries()) {
      for (const { words, tokens } of appearances) {
        const key = `${words}`;
        const entity = entities.get(key) ?? { documentIndex, places: [] };
        entity.places.push({ example: examples[i], tokens });
        entities.set(key, entity);
      }
    }
    return [...entities.values()];
  });
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
