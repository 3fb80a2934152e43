import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { WordClass } from './lexicon.js';

const FILES: Readonly<Record<WordClass, string>> = {
  noun: 'noun',
  verb: 'verb',
  adjective: 'adj',
  adverb: 'adv',
};
/** Hypernyms, hyponyms, parts, wholes, and, which PHICON's code leaves out, adjectives that are alike: `wninput(5WN)`. */
const RELATIONS: ReadonlySet<string> = new Set(['@', '~', '%p', '#p', '&']);
const NEWLINE = 0x0a;

export interface Related {
  readonly synonyms: readonly string[];
  readonly further: readonly string[];
}

interface Synset {
  readonly words: readonly string[];
  /** Byte offsets of those it is related to, of the same class. */
  readonly related: readonly number[];
}

/** The database of one class. */
interface ClassFiles {
  /** By lemma, byte offsets in `data`. */
  readonly index: ReadonlyMap<string, readonly number[]>;
  readonly data: Buffer;
}

/** WordNet (Fellbaum and Miller 1998) in the format of its own files, `wndb(5WN)`, each class read when it is asked for. */
export class WordNet {
  readonly #files = new Map<WordClass, ClassFiles>();

  /** `directory` has `index.noun`, `data.noun` and so on. */
  constructor(private readonly directory: string) {}

  /**
   * Words of one part that share a synset with a lemma, and those one relation from it that are wider, narrower,
   * alike, or parts.
   */
  related(lemma: string, wordClass: WordClass): Related {
    const { index, data } = this.#of(wordClass);
    const synsets = (index.get(lemma) ?? []).map((offset) => synsetAt(data, offset, wordClass));
    const further = synsets.flatMap(({ related }) =>
      related.flatMap((offset) => synsetAt(data, offset, wordClass).words),
    );
    const others = (words: readonly string[]) =>
      [...new Set(words)].filter((word) => word !== lemma && /^[a-z]{2,}$/.test(word));
    return { synonyms: others(synsets.flatMap(({ words }) => words)), further: others(further) };
  }

  #of(wordClass: WordClass): ClassFiles {
    const read = this.#files.get(wordClass);
    if (read) return read;
    const file = (kind: string) => path.join(this.directory, `${kind}.${FILES[wordClass]}`);
    const files = {
      index: indexOf(readFileSync(file('index'), 'latin1')),
      data: readFileSync(file('data')),
    };
    this.#files.set(wordClass, files);
    return files;
  }
}

/** `lemma pos synset_cnt p_cnt [symbol...] sense_cnt tagsense_cnt offset...`; lines of the licence begin with a space. */
function indexOf(text: string): Map<string, number[]> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith(' '));
  return new Map(
    lines.map((line) => {
      const fields = line.trim().split(' ');
      return [fields[0] as string, fields.slice(-Number(fields[2])).map(Number)];
    }),
  );
}

/** `offset lex_filenum ss_type w_cnt word lex_id... p_cnt symbol offset pos source/target...`; w_cnt in hexadecimal. */
function synsetAt(data: Buffer, offset: number, wordClass: WordClass): Synset {
  const fields = data.toString('latin1', offset, data.indexOf(NEWLINE, offset)).split(' ');
  const words = Number.parseInt(fields[3] as string, 16);
  const pointers = 4 + 2 * words;
  const related: number[] = [];
  for (let i = 0; i < Number(fields[pointers]); i++) {
    const [symbol, to, ofClass] = fields.slice(pointers + 1 + 4 * i, pointers + 4 + 4 * i);
    if (RELATIONS.has(symbol as string) && isOf(ofClass as string, wordClass))
      related.push(Number(to));
  }
  // Adjectives may carry where they stand: `afraid(p)`.
  const names = Array.from({ length: words }, (_, i) => fields[4 + 2 * i] as string);
  return { words: names.map((name) => name.replace(/\(.*$/, '')), related };
}

function isOf(ofClass: string, wordClass: WordClass): boolean {
  return ofClass === { noun: 'n', verb: 'v', adjective: 'a', adverb: 'r' }[wordClass];
}
