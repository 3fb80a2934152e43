import type { Span } from '../text/document.js';
import type { Token } from '../text/token.js';
import { phiTokens } from './labelled-item.js';

/** How many tokens of one gold type a system gave another; null is "no PHI". */
export interface Confused {
  readonly gold: string | null;
  readonly system: string | null;
  readonly tokens: number;
}

/**
 * Counts tokens by their gold type and the system's; right ones too, and those that neither calls
 * PHI not at all. Where spans share a token, an equal type on the other side pairs first.
 */
export class Confusion {
  readonly #counts = new Map<string, number>();

  add(tokens: readonly Token[], gold: readonly Span[], system: readonly Span[]): void {
    const wanted = typesByStart(tokens, gold);
    const found = typesByStart(tokens, system);
    for (const start of new Set([...wanted.keys(), ...found.keys()]))
      for (const pair of pairsOf(wanted.get(start) ?? [], found.get(start) ?? []))
        this.#counts.set(pair, (this.#counts.get(pair) ?? 0) + 1);
  }

  /** The most frequent first. */
  get entries(): Confused[] {
    return [...this.#counts]
      .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .map(([pair, tokens]) => {
        const [gold = '', system = ''] = pair.split('/');
        return { gold: gold || null, system: system || null, tokens };
      });
  }
}

function typesByStart(tokens: readonly Token[], spans: readonly Span[]): Map<number, string[]> {
  const types = new Map<number, string[]>();
  for (const { type, start } of phiTokens(tokens, spans)) {
    const known = types.get(start) ?? [];
    if (!known.includes(type)) types.set(start, [...known, type]);
  }
  return types;
}

function pairsOf(gold: readonly string[], system: readonly string[]): string[] {
  const equal = gold.filter((type) => system.includes(type));
  const missed = gold.filter((type) => !equal.includes(type));
  const spurious = system.filter((type) => !equal.includes(type));
  const rest = Array.from(
    { length: Math.max(missed.length, spurious.length) },
    (_, at) => `${missed[at] ?? ''}/${spurious[at] ?? ''}`,
  );
  return [...equal.map((type) => `${type}/${type}`), ...rest];
}
