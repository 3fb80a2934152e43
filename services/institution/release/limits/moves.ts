import { isSharedWord } from '../../../../models/certification/entity.js';
import type { Mention } from '../sentences/sentence.js';

/** An entity of a sentence. */
export interface Place {
  readonly entity: string;
  readonly mention: Mention;
}

/**
 * By entity: the whole names that change where it is another one, itself among them where it stands whole, and what its
 * twins make of each, [twins]. By each word of an entity that entities share, at least what becomes of that word.
 */
export type Moves = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

interface NameOptions {
  /** Names an entity by its words. */
  readonly nameOf: (words: readonly string[]) => string;
  readonly twins: number;
}

/**
 * Finds which names change with which entity, sentence by sentence. An entity moves wherever a word of it that entities
 * share is PHI in a note that names it: the other names there that hold such a word change with it, and only there.
 */
export class NameMoves {
  readonly #moves = new Map<string, Map<string, readonly string[]>>();
  /** By name and by which of its words move: most names change in one way with whatever entity they change. */
  readonly #twins = new Map<string, readonly string[]>();

  constructor(private readonly options: NameOptions) {}

  get moves(): Moves {
    return this.#moves;
  }

  /** Adds one sentence; `twinOf` spells what a token of it becomes in a twin, undefined where it stays. */
  add(places: readonly Place[], twinOf: (token: number, twin: number) => string | undefined): void {
    for (const { entity: name, mention } of places) {
      const { words, start } = mention;
      if (start === undefined) continue;
      for (const [i, word] of words.entries())
        if (isSharedWord(word)) {
          const own = this.options.nameOf([word]);
          this.#add(own, own, [word], [true], (_, twin) => twinOf(start + i, twin));
        }
      for (const { entity, mention: moved } of places) {
        const moves = words.map((_, i) => moved.tokens.includes(start + i));
        if (moves.includes(true))
          this.#add(entity, name, words, moves, (i, twin) => twinOf(start + i, twin));
      }
    }
  }

  #add(
    entity: string,
    name: string,
    words: readonly string[],
    moves: readonly boolean[],
    twinOf: (word: number, twin: number) => string | undefined,
  ): void {
    const known = this.#moves.get(entity) ?? new Map<string, readonly string[]>();
    this.#moves.set(entity, known);
    if (known.has(name)) return;
    const { nameOf, twins } = this.options;
    const key = JSON.stringify([name, moves]);
    const names =
      this.#twins.get(key) ??
      Array.from({ length: twins }, (_, twin) =>
        nameOf(words.map((word, i) => (moves[i] ? twinOf(i, twin) : undefined) ?? word)),
      );
    this.#twins.set(key, names);
    known.set(name, names);
  }
}
