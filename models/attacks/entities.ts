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
