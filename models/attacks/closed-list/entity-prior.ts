import type { TypedEntity } from '../entity-pools.js';

/** Added to every count, so that an entity that the notes lack stays possible. */
const SMOOTHING = 0.5;

/** How often an attacker's own notes hold entities, by type. */
export class EntityPrior {
  readonly #counts = new Map<string, number>();

  constructor(entities: Iterable<TypedEntity>) {
    for (const entity of entities) {
      const key = keyOf(entity);
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
  }

  /** log(count + ½): a prior over any list of entities of one type, up to a constant. */
  logOf(entity: TypedEntity): number {
    return Math.log((this.#counts.get(keyOf(entity)) ?? 0) + SMOOTHING);
  }
}

function keyOf({ type, ids }: TypedEntity): string {
  return `${type}:${ids}`;
}
