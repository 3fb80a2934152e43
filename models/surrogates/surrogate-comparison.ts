/**
 * How alike an institution's entities and what would replace them are written: a de-identifier that learns from
 * surrogates finds entities of their shapes, and has their idea of where one begins and ends.
 */
import type { Document } from '../text/document.js';
import { type LabelScheme, mapType, requireKnownSpans } from '../text/label-scheme.js';
import type { Draws } from './draws.js';
import { entityShape } from './entity-shape.js';
import type { Inventory } from './inventory.js';
import { replaceEntities } from './replacement.js';

export interface Likeness {
  readonly type: string;
  readonly entities: number;
  /**
   * Share of shapes, from 0 to 1, that entities of one half of the documents have in common with surrogates of the
   * other half, as these would leave.
   */
  readonly surrogates: number;
  /** The same of the entities of both halves. With few entities it is low by chance. */
  readonly halves: number;
}

export interface Comparison {
  readonly types: readonly Likeness[];
  /** Types of the notes that the inventory has no entities of. */
  readonly missing: readonly string[];
}

const ROUNDS = 8;
/** Fewer entities of a type, in either half of the documents, tell nothing. */
const LEAST = 10;

/** By type of the scheme, those of `kept` left out. No shape of an entity is in it. Throws `label-unknown`. */
export function compareSurrogates(
  documents: readonly Document[],
  scheme: LabelScheme,
  inventory: Inventory,
  draws: Draws,
  kept: readonly string[] = [],
): Comparison {
  for (const document of documents) requireKnownSpans(document, scheme);
  const left = new Set(
    scheme.types.filter((type) => kept.includes(type) || !inventory.types.includes(type)),
  );
  const halves = [0, 1].map((half) => documents.filter((_, at) => at % 2 === half));
  const own = halves.map((half) => shapesByType(half, scheme));
  const replaced = Array.from({ length: ROUNDS }, () =>
    halves.map((half) => {
      const made = half.map((note) => replaceEntities(note, scheme, inventory, draws, left));
      return shapesByType(made, scheme);
    }),
  );
  const types = scheme.types.filter((type) => !left.has(type));
  return {
    types: types.flatMap((type): Likeness[] => {
      const [first, second] = own.map((shapes) => shapes.get(type) ?? []) as [string[], string[]];
      if (Math.min(first.length, second.length) < LEAST) return [];
      const shares = replaced.flatMap((made) => {
        const [before = [], after = []] = made.map((shapes) => shapes.get(type));
        return [common(first, after), common(second, before)];
      });
      const surrogates = shares.reduce((sum, share) => sum + share, 0) / shares.length;
      const entities = first.length + second.length;
      return [{ type, entities, surrogates, halves: common(first, second) }];
    }),
    missing: scheme.types.filter(
      (type) => left.has(type) && !kept.includes(type) && own.some((shapes) => shapes.has(type)),
    ),
  };
}

function shapesByType(
  documents: readonly Document[],
  scheme: LabelScheme,
): ReadonlyMap<string, string[]> {
  const shapes = new Map<string, string[]>();
  for (const { text, spans } of documents)
    for (const { type, start, end } of spans) {
      const mapped = mapType(type, scheme);
      if (mapped === null) continue;
      const own = shapes.get(mapped) ?? [];
      own.push(entityShape(text.slice(start, end)));
      shapes.set(mapped, own);
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
