import type { TextExample } from '../training/data/examples.js';
import { type EntityAppearance, entitiesOf } from './entities.js';
import type { AuditTarget } from './target.js';
import { typeOf } from './traits.js';

/** The words of an entity, and its PHI type. */
export interface TypedEntity {
  readonly type: string;
  readonly ids: readonly number[];
}

/** The different entities of some notes, by type and number of words. */
export class EntityPools {
  readonly #pools = new Map<string, Map<string, readonly number[]>>();

  constructor(entities: Iterable<TypedEntity>) {
    for (const entity of entities) {
      const kind = kindOf(entity);
      this.#pools.set(kind, (this.#pools.get(kind) ?? new Map()).set(`${entity.ids}`, entity.ids));
    }
  }

  /** All others of the type and number of words of an entity. */
  othersLike(entity: TypedEntity): (readonly number[])[] {
    const pool = new Map(this.#pools.get(kindOf(entity)));
    pool.delete(`${entity.ids}`);
    return [...pool.values()];
  }
}

function kindOf({ type, ids }: TypedEntity): string {
  return `${type}:${ids.length}`;
}

/** The entities of several parts of the notes, once for each sentence that holds all of their words. */
export function typedEntities(
  parts: readonly (readonly TextExample[])[],
  { labels, vocabulary }: Pick<AuditTarget, 'labels' | 'vocabulary'>,
): TypedEntity[] {
  return parts.flatMap((part) =>
    entitiesOf(part, vocabulary).flatMap(({ ids, appearances }) =>
      wholeAppearancesOf(appearances).map(({ example, start }) => {
        return { type: typeOf(labels, example.labels[start]), ids };
      }),
    ),
  );
}

/** Those sentences where all words of an entity stand. */
export function wholeAppearancesOf(appearances: readonly EntityAppearance[]) {
  return appearances.flatMap(({ example, start }) =>
    start === undefined ? [] : { example, start },
  );
}
