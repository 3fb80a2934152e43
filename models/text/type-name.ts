/** What stands for a type that may be text of a document. */
const NO_NAME = 'a type that is no name';
const TYPE_NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** Shorter ones are in most texts by chance. */
const LEAST_LETTERS = 3;

/** A type as a message may name it: what is longer, or has other characters, may be text of a document in its place. */
export function typeName(type: string): string {
  return TYPE_NAME.test(type) ? type : NO_NAME;
}

/**
 * A type as a message may name it that knows what its span marks: some tools have layers whose only feature repeats the
 * text. It is not named where it shares a word with that, or one is within the other once accents, case and all but
 * letters and digits are left out.
 */
export function typeUnlessWord(type: string, marked: string): string {
  const [own, other] = [wordsOf(type), wordsOf(marked)];
  const [joined, all] = [own.join(''), other.join('')];
  const isText =
    own.some((word) => other.includes(word)) || isWithin(joined, all) || isWithin(all, joined);
  return isText ? NO_NAME : typeName(type);
}

function isWithin(part: string, whole: string): boolean {
  return part.length >= LEAST_LETTERS && whole.includes(part);
}

function wordsOf(text: string): string[] {
  const folded = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

/** Types of spans as a message may name them, each by its name where one of its spans allows it. */
export class TypeNames {
  readonly #counts = new Map<string, number>();
  readonly #named = new Set<string>();

  add(type: string, marked: string): void {
    this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1);
    if (typeUnlessWord(type, marked) === type) this.#named.add(type);
  }

  /** By name, in order, how many spans. */
  counts(): Record<string, number> {
    const counts = new Map<string, number>();
    for (const [type, count] of [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const name = this.#named.has(type) ? type : NO_NAME;
      counts.set(name, (counts.get(name) ?? 0) + count);
    }
    return Object.fromEntries(counts);
  }
}
