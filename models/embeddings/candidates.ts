import { TacetError } from '../../proto/errors.js';
import type { Random } from '../tensor/random.js';
import { CASINGS } from '../text/casing.js';
import type { DigitMoves } from './digit-moves.js';
import { rowVector } from './embeddings.js';
import { madeUpNumbers, madeUpWords } from './made-up-words.js';
import { type CachedNeighbourOptions, neighbourRows } from './neighbour-cache.js';
import { type StopWordLanguage, stopWords } from './stop-words.js';
import { TRAINED_DIGIT_LENGTHS, type Vocabulary } from './vocabulary.js';
import { isDigitsOnly, isPunctuation } from './word-shape.js';

/** Why a word never moves. */
export const IMMOVABLE = ['stop word', 'punctuation', 'unknown vector', 'zero vector'] as const;
export type Immovable = (typeof IMMOVABLE)[number];

const STAY = new Int32Array(0);
const NUMERIC = CASINGS.indexOf('numeric');

/**
 * What `move` draws from: for each word, the words that it may become (docs/glossary.md). Friedrich et al. 2019,
 * section 4, move every PHI token; here what has no neighbours to speak of stays (`IMMOVABLE`; so it does in their
 * code), and a number may become any other number, whatever N is, or one of its neighbours (`DigitMoves`): their code's
 * settings for pseudonymisation have the first, those for the adversarial representation the second.
 */
export class Candidates {
  readonly #of: ReadonlyMap<number, Int32Array>;
  readonly #immovable: ReadonlyMap<number, Immovable>;

  constructor(
    /** N, the word itself included. */
    readonly count: number,
    of: ReadonlyMap<number, Int32Array>,
    immovable: ReadonlyMap<number, Immovable>,
  ) {
    this.#of = of;
    this.#immovable = immovable;
  }

  /** Vocabulary ids: the word itself, then its neighbours, closest first; empty where it stays. */
  of(id: number): Int32Array {
    const ids = this.#of.get(id);
    if (ids) return ids;
    throw new TacetError(
      'internal',
      `no candidates were computed for word ${id}; pass its id to findCandidates`,
    );
  }

  isMovable(id: number): boolean {
    return this.of(id).length > 0;
  }

  /** Why a word stays; undefined where it moves. */
  reason(id: number): Immovable | undefined {
    return this.#immovable.get(id);
  }

  /** A uniform draw from the candidates of a word; an immovable word stays itself. */
  draw(id: number, random: Pick<Random, 'integer'>): number {
    const ids = this.of(id);
    return ids.length === 0 ? id : (ids[random.integer(ids.length)] as number);
  }

  /** The same words, none of which may become another. */
  unmoved(): Candidates {
    const alone = [...this.#of].map(
      ([id, ids]) => [id, ids.length === 0 ? STAY : Int32Array.of(id)] as const,
    );
    return new Candidates(1, new Map(alone), this.#immovable);
  }

  /** How many of the words stay, by reason. */
  get immovable(): Readonly<Record<Immovable, number>> {
    const counts = { 'stop word': 0, punctuation: 0, 'unknown vector': 0, 'zero vector': 0 };
    for (const reason of this.#immovable.values()) counts[reason]++;
    return counts;
  }
}

export interface CandidateOptions extends CachedNeighbourOptions {
  /** Whose stop words never move; English and Spanish by default. */
  readonly languages?: readonly StopWordLanguage[] | undefined;
  /** `any` where left out; of a number without a vector of its own, `any` always. */
  readonly digitMoves?: DigitMoves | undefined;
}

/**
 * The candidates of the given words: the `count` closest words of the embedding matrix by cosine,
 * the word itself included and first. For a word outside the matrix, itself and its `count` - 1
 * closest words; for a digits-only word, all digits-only words of the matrix, or one per trained
 * length where it holds none. Where characters count, a word without a vector is told by them, so that
 * its candidates are made-up words beside itself, and made-up numbers stand for those of each length. A
 * candidate has the casing of the word. Adds the candidates to the vocabulary.
 */
export async function findCandidates(
  vocabulary: Vocabulary,
  ids: Iterable<number>,
  count: number,
  { languages = ['en', 'es'], digitMoves = 'any', ...options }: CandidateOptions = {},
): Promise<Candidates> {
  if (!Number.isInteger(count) || count < 1)
    throw new TacetError(
      'config-invalid',
      `neighbours: expected an integer of 1 or more, found ${count}`,
    );

  const stops = stopWords(languages);
  const of = new Map<number, Int32Array>();
  const immovable = new Map<number, Immovable>();
  const words: number[] = [];
  let digits: Int32Array | undefined;
  let madeUp: readonly string[] | undefined;
  for (const id of new Set(ids)) {
    const reason = whyImmovable(vocabulary, id, stops);
    if (reason) {
      immovable.set(id, reason);
      of.set(id, STAY);
    } else if (vocabulary.isDigits(id) && !hasNeighbours(vocabulary, id, digitMoves)) {
      digits ??= digitCandidates(vocabulary);
      of.set(id, digits);
    } else if (vocabulary.wordOf(id) === undefined) {
      madeUp ??= madeUpWords(vocabulary.embeddings.words, count - 1);
      of.set(id, inCasingOf(vocabulary, id, madeUp));
    } else words.push(id);
  }
  for await (const [id, neighbours] of neighboursOf(vocabulary, words, count, options))
    of.set(id, neighbours);
  return new Candidates(count, of, immovable);
}

function hasNeighbours(vocabulary: Vocabulary, id: number, digitMoves: DigitMoves): boolean {
  return digitMoves === 'neighbours' && vocabulary.wordOf(id) !== undefined;
}

function whyImmovable(
  vocabulary: Vocabulary,
  id: number,
  stops: ReadonlySet<string>,
): Immovable | undefined {
  if (vocabulary.isDigits(id)) return undefined;
  const word = vocabulary.spelling(id);
  if (word === undefined) return 'unknown vector';
  if (isPunctuation(word)) return 'punctuation';
  if (stops.has(word.toLowerCase())) return 'stop word';
  if (vocabulary.wordOf(id) === undefined) return undefined;
  const vector = rowVector(vocabulary.vectors(), vocabulary.dimension, id);
  return vector.every((value) => value === 0) ? 'zero vector' : undefined;
}

async function* neighboursOf(
  vocabulary: Vocabulary,
  ids: readonly number[],
  count: number,
  options: CachedNeighbourOptions,
): AsyncGenerator<[number, Int32Array]> {
  if (ids.length === 0) return;
  const { dimension, embeddings } = vocabulary;
  const queries = new Float32Array(ids.length * dimension);
  const vectors = vocabulary.vectors();
  for (const [query, id] of ids.entries())
    queries.set(rowVector(vectors, dimension, id), query * dimension);

  const rows = await neighbourRows(embeddings, queries, count, options);
  const width = rows.length / ids.length;
  for (const [query, id] of ids.entries()) {
    const own = vocabulary.rowOf(id);
    const casing = vocabulary.casing(id);
    const closest = rows.subarray(query * width, (query + 1) * width);
    const others = closest.filter((row) => row !== own).subarray(0, count - 1);
    const candidates = new Int32Array(1 + others.length).fill(id);
    candidates.set(
      others.map((row) => vocabulary.idOfRow(row, casing)),
      1,
    );
    yield [id, candidates];
  }
}

function digitCandidates(vocabulary: Vocabulary): Int32Array {
  const { words } = vocabulary.embeddings;
  const ids: number[] = [];
  for (const [row, word] of words.entries())
    if (isDigitsOnly(word)) ids.push(vocabulary.idOfRow(row));
  if (ids.length > 0) return Int32Array.from(ids);
  if (vocabulary.seesCharacters)
    return Int32Array.from(madeUpNumbers(), (number) => vocabulary.idOf(number));
  return Int32Array.from({ length: TRAINED_DIGIT_LENGTHS }, (_, index) =>
    vocabulary.idOfTrained(2 + index, NUMERIC),
  );
}

/** A word without a vector, then others. */
function inCasingOf(vocabulary: Vocabulary, id: number, words: readonly string[]): Int32Array {
  const casing = vocabulary.casing(id);
  const others = words.map((word) => vocabulary.inCasing(vocabulary.idOf(word), casing));
  return Int32Array.from(new Set([id, ...others]));
}
