import { spansOf } from '../certification/entity.js';
import type { TextExample } from '../training/examples.js';

/** The same words, labelled as one span, wherever they stand in one document. */
export interface Entity {
  readonly documentIndex: number;
  readonly ids: readonly number[];
  readonly places: readonly Place[];
}

/** Where an entity begins. */
export interface Place {
  readonly example: TextExample;
  readonly start: number;
}

/** Spans of B and I labels; equal words in one document are one entity. */
export function entitiesOf(examples: readonly TextExample[]): Entity[] {
  const entities = new Map<string, Entity & { readonly places: Place[] }>();
  for (const example of examples) {
    for (const { start, end } of spansOf(example.labels)) {
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
