/**
 * How alike an institution's entities and what would replace them are written: a de-identifier that learns from
 * surrogates finds entities of their shapes, and has their idea of where one begins and ends.
 */
import type { Document } from '../text/document.js';
import { type LabelScheme, mapType, requireKnownTypes } from '../text/label-scheme.js';
import type { Draws } from './draws.js';
import { entityShape } from './entity-shape.js';
import type { Inventory } from './inventory.js';

export interface Likeness {
  readonly type: string;
  readonly entities: number;
  /** Share of surrogates and entities that have shapes in common, from 0 to 1. */
  readonly surrogates: number;
  /** The same of one half of the documents and the other: what there is to reach. */
  readonly halves: number;
}

const DRAWS = 2000;
/** Fewer entities of a type, in either half of the documents, tell nothing. */
const LEAST = 10;

/**
 * Of each type of the scheme with enough entities in both halves of the documents. No shape of an entity is in what
 * is returned. Throws `label-unknown`, and `inventory-missing` for a type that has no surrogates.
 */
export function likenessByType(
  documents: readonly Document[],
  scheme: LabelScheme,
  inventory: Inventory,
  draws: Draws,
): Likeness[] {
  const halves = [0, 1].map((half) =>
    shapesByType(
      documents.filter((_, at) => at % 2 === half),
      scheme,
    ),
  );
  return scheme.types.flatMap((type): Likeness[] => {
    const [first = [], second = []] = halves.map((shapes) => shapes.get(type));
    if (Math.min(first.length, second.length) < LEAST) return [];
    const drawn = Array.from({ length: DRAWS }, () => entityShape(inventory.draw(type, draws)));
    const own = [...first, ...second];
    return [
      {
        ...{ type, entities: own.length },
        ...{ surrogates: common(own, drawn), halves: common(first, second) },
      },
    ];
  });
}

function shapesByType(
  documents: readonly Document[],
  scheme: LabelScheme,
): ReadonlyMap<string, string[]> {
  const shapes = new Map<string, string[]>();
  for (const { text, spans } of documents) {
    requireKnownTypes(spans, scheme);
    for (const { type, start, end } of spans) {
      const mapped = mapType(type, scheme);
      if (mapped === null) continue;
      const own = shapes.get(mapped) ?? [];
      own.push(entityShape(text.slice(start, end)));
      shapes.set(mapped, own);
    }
  }
  return shapes;
}

/** What two distributions have in common: 1 less their distance in total variation. */
function common(first: readonly string[], second: readonly string[]): number {
  const counts = countsOf(second);
  return [...countsOf(first)].reduce(
    (sum, [shape, count]) =>
      sum + Math.min(count / first.length, (counts.get(shape) ?? 0) / second.length),
    0,
  );
}

function countsOf(shapes: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const shape of shapes) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  return counts;
}
