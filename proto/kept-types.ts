/**
 * Types of a label scheme whose labelled entities were kept where those of all others were replaced: each once,
 * in the order of their code units.
 */
import { Type } from './typebox.js';

export const KEPT_TYPES = Type.Array(Type.String({ pattern: '^[A-Za-z0-9_:.-]{1,64}$' }), {
  maxItems: 127,
  uniqueItems: true,
});

/** Whether they are each once and in order, so that one list is written in one way. */
export function areKeptTypes(types: readonly string[]): boolean {
  return types.every((type, i) => i === 0 || (types[i - 1] as string) < type);
}

/** In one column of a table; `keptTypesIn` reads it. */
export function keptTypesText(types: readonly string[] = []): string {
  return types.join(',');
}

export function keptTypesIn(text: string): string[] {
  return text === '' ? [] : text.split(',');
}

/** All that one of several lists names. */
export function unionOf(texts: Iterable<string>): string[] {
  return [...new Set([...texts].flatMap(keptTypesIn))].sort();
}
