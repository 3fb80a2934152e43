import { groupedBy } from '../../../platform/grouped-by.js';
import type { Piece } from '../../certification/common-pieces.js';
import { type Span, spansOf, typeOfLabel } from '../../certification/entity.js';
import type { Random } from '../../tensor/random.js';
import type { TextExample } from '../../training/data/examples.js';
import { type LabelledWindow, windowOf } from './labelled-window.js';

type Words = ArrayLike<number>;

/** A sentence of which all is known but what its entities are: gaps, one more than entities, and types. */
export class MaskedSentence {
  readonly #gaps: readonly Int32Array[];
  readonly #types: readonly number[];
  readonly #spans: readonly Span[];
  readonly #whole: Piece;

  constructor({ ids, labels }: Pick<TextExample, 'ids' | 'labels'>) {
    const spans = spansOf(labels);
    this.#spans = spans;
    this.#whole = { start: 0, end: labels.length };
    const ends = [0, ...spans.map(({ end }) => end)];
    const starts = [...spans.map(({ start }) => start), ids.length];
    this.#gaps = starts.map((start, i) => ids.slice(ends[i], start));
    this.#types = spans.map(({ start }) => typeOfLabel(labels[start] as number));
  }

  get hasEntities(): boolean {
    return this.#types.length > 0;
  }

  hasEntitiesIn(piece: Piece): boolean {
    return this.#spans.some((span) => isWithin(span, piece));
  }

  /** Equal for sentences that differ in nothing but their entities. */
  get key(): string {
    return this.#gaps.map((gap, i) => `${gap}<${this.#types[i] ?? ''}>`).join('');
  }

  /** Equal for sentences whose labels differ in nothing but how many tokens entities have. */
  get labelKey(): string {
    return this.#gaps.map(({ length }, i) => `${length}<${this.#types[i] ?? ''}>`).join('');
  }

  /** With an entity of each type drawn from `entities`; the piece of it that was `piece`. */
  fill(entities: EntityDraws, random: Random, piece = this.#whole): LabelledWindow {
    return this.#filled(
      this.#types.map((type) => entities.draw(type, random)),
      piece,
    );
  }

  /** In the piece, with entities of as many tokens as those of `labels`, which has the same `labelKey` as it. */
  fillLike(
    labels: Uint8Array,
    entities: EntityDraws,
    random: Random,
    piece = this.#whole,
  ): LabelledWindow {
    const wanted = spansOf(labels).values();
    return this.#filled(
      this.#types.map((type, i) => {
        if (!isWithin(this.#spans[i] as Span, piece)) return entities.draw(type, random);
        const { start, end } = wanted.next().value as Span;
        return entities.drawOf(type, end - start, random);
      }),
      piece,
    );
  }

  #filled(entities: readonly Words[], piece: Piece): LabelledWindow {
    const ids: number[] = [];
    const labels: number[] = [];
    this.#gaps.forEach((gap, i) => {
      ids.push(...gap);
      labels.push(...gap.map(() => 0));
      const type = this.#types[i];
      if (type === undefined) return;
      const entity = Array.from(entities[i] ?? []);
      ids.push(...entity);
      labels.push(...entity.map((_, t) => 2 * type - (t === 0 ? 1 : 0)));
    });
    const filled = { ids: Int32Array.from(ids), labels: Uint8Array.from(labels) };
    /** Where a token stands that is in no entity, or the first of one. */
    const moved = (token: number) =>
      this.#spans.reduce((place, { start, end }, i) => {
        const longer = (entities[i] as Words).length - (end - start);
        return end <= token ? place + longer : place;
      }, token);
    return windowOf(filled, { start: moved(piece.start), end: moved(piece.end) });
  }
}

function isWithin(span: Span, piece: Piece): boolean {
  return piece.start <= span.start && span.end <= piece.end;
}

interface TypedEntity {
  readonly type: number;
  readonly words: Words;
}

/** Entities by type as often as notes hold them: an attacker's stand-in for the public inventory. */
export class EntityDraws {
  readonly #all: readonly Words[];
  readonly #ofType: ReadonlyMap<number, readonly Words[]>;
  /** By type, or undefined for all, and by the number of tokens. */
  readonly #ofLength = new Map<number | undefined, ReadonlyMap<number, readonly Words[]>>();

  constructor(examples: readonly Pick<TextExample, 'ids' | 'labels'>[]) {
    const entities = examples.flatMap(({ ids, labels }) =>
      spansOf(labels).map(
        ({ start, end }): TypedEntity => ({
          type: typeOfLabel(labels[start] as number),
          words: ids.slice(start, end),
        }),
      ),
    );
    const wordsOf = (those: readonly TypedEntity[]) => those.map(({ words }) => words);
    this.#all = wordsOf(entities);
    const byType = groupedBy(entities, ({ type }) => type);
    this.#ofType = new Map([...byType].map(([type, those]) => [type, wordsOf(those)]));
  }

  /** One of a type, or of any where the notes hold none of it. */
  draw(type: number, random: Random): Words {
    const known = this.#ofType.get(type) ?? this.#all;
    return known[random.integer(known.length)] as Words;
  }

  /** One of `count` tokens where there is one; else one that is cut, or its last token repeated. */
  drawOf(type: number, count: number, random: Random): Words {
    const known = this.#ofType.get(type) ?? this.#all;
    const fitting = this.#byLength(type).get(count) ?? known;
    const words = fitting[random.integer(fitting.length)] as Words;
    return Array.from({ length: count }, (_, t) => words[Math.min(t, words.length - 1)] as number);
  }

  /** Those that are drawn for a type, by their number of tokens. */
  #byLength(type: number): ReadonlyMap<number, readonly Words[]> {
    const known = this.#ofType.get(type);
    const key = known ? type : undefined;
    const groups = this.#ofLength.get(key) ?? groupedBy(known ?? this.#all, ({ length }) => length);
    this.#ofLength.set(key, groups);
    return groups;
  }
}
