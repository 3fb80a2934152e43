/** What a PHI entity is, and where it stands in a note: one cut for audit and encoder. */
import { stopWords } from '../embeddings/stop-words.js';
import { isDigitsOnly, isPunctuation } from '../embeddings/word-shape.js';

/** From token `start` to before `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One entity in one sentence. */
export interface Appearance<W> {
  /** The words that the entity is known by, in order. */
  readonly words: readonly W[];
  /** Its PHI type: t of the labels B-t = 2t − 1 and I-t = 2t. */
  readonly type: number;
  /** Where all of its words stand first; undefined where only some of them are PHI here. */
  readonly start?: number | undefined;
  /** Tokens of all places where all of its words stand, in order: the same ones, whatever its words are. */
  readonly whole: readonly number[];
  /** Tokens that change where the entity is another one, in order. */
  readonly tokens: readonly number[];
}

/** A sentence of a note: labels [T], and the word of each token. */
export interface LabelledWords<W> {
  readonly labels: Uint8Array;
  wordAt(token: number): W;
}

const STOPS = stopWords(['en', 'es']);

/** Whether a word that two entities of a note share names the same thing; numbers are shared by chance. */
export function isSharedWord(word: string): boolean {
  return !isDigitsOnly(word) && !isPunctuation(word) && !STOPS.has(word.toLowerCase());
}

/** The PHI type of a label: 0 is O, then B and I of each type in turn. */
export function typeOfLabel(label: number): number {
  return (label + 1) >> 1;
}

/** Runs of B-t and its I-t; a run that begins with I-t is one too. */
export function spansOf(labels: Uint8Array): Span[] {
  const spans: Span[] = [];
  for (let start = 0; start < labels.length; ) {
    const label = labels[start] as number;
    const inside = 2 * typeOfLabel(label);
    let end = start + 1;
    while (label !== 0 && labels[end] === inside) end++;
    if (label !== 0) spans.push({ start, end });
    start = end;
  }
  return spans;
}

/**
 * By sentence of one note, the entities that stand in it. Equal words are one entity, of the type that
 * they have first. It stands wherever all of its words are labelled together, and wherever else in the note one of its
 * words is PHI, if that is a word that entities share: who is no longer "Ana García" is no longer
 * "García" either.
 */
export function appearancesIn<W>(
  sentences: readonly LabelledWords<W>[],
  isShared: (word: W) => boolean,
): Appearance<W>[][] {
  const spans = sentences.map(({ labels }) => spansOf(labels));
  const entities = new Map<string, { words: W[]; type: number; places: [number, Span][] }>();
  /** By word, the tokens where it is PHI; and the entities that share it. */
  const tokensOf = new Map<W, [number, number][]>();
  for (const [s, { labels, wordAt }] of sentences.entries()) {
    for (const span of spans[s] as Span[]) {
      const words = Array.from({ length: span.end - span.start }, (_, i) => wordAt(span.start + i));
      const type = typeOfLabel(labels[span.start] as number);
      const key = JSON.stringify(words);
      const entity = entities.get(key) ?? { words, type, places: [] };
      entity.places.push([s, span]);
      entities.set(key, entity);
      for (const [i, word] of words.entries()) {
        const known = tokensOf.get(word);
        if (known) known.push([s, span.start + i]);
        else tokensOf.set(word, [[s, span.start + i]]);
      }
    }
  }
  const appearances = sentences.map((): Appearance<W>[] => []);
  for (const { words, type, places } of entities.values()) {
    const starts = new Map<number, number>();
    const whole = new Map<number, number[]>();
    const tokens = new Map<number, Set<number>>();
    const add = (s: number, token: number) => {
      const own = tokens.get(s);
      if (own) own.add(token);
      else tokens.set(s, new Set([token]));
    };
    for (const [s, { start, end }] of places) {
      if (!starts.has(s)) starts.set(s, start);
      const own = Array.from({ length: end - start }, (_, i) => start + i);
      whole.set(s, [...(whole.get(s) ?? []), ...own]);
      for (const t of own) add(s, t);
    }
    for (const word of new Set(words.filter(isShared)))
      for (const [s, token] of tokensOf.get(word) ?? []) add(s, token);
    for (const [s, own] of tokens)
      appearances[s]?.push({
        words,
        type,
        start: starts.get(s),
        whole: whole.get(s) ?? [],
        tokens: [...own].sort((a, b) => a - b),
      });
  }
  return appearances;
}

/**
 * Shorter forms that a name may take where it stands alone: runs of its words that begin and end with a
 * word that entities share, without the whole.
 */
export function shorterForms(words: readonly string[]): string[][] {
  const forms = new Map<string, string[]>();
  for (let start = 0; start < words.length; start++) {
    if (!isSharedWord(words[start] as string)) continue;
    for (let end = start + 1; end <= words.length; end++) {
      if (end - start === words.length || !isSharedWord(words[end - 1] as string)) continue;
      const form = words.slice(start, end);
      forms.set(form.join(' '), form);
    }
  }
  return [...forms.values()];
}
