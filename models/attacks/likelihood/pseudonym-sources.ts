import type { Candidates } from '../../embeddings/candidates.js';
import type { Vocabulary } from '../../embeddings/vocabulary.js';

/**
 * What a pseudonym says of the word that it stands for, to an attacker who has the word vectors and so every list of
 * neighbours: w may stand behind p where p is one of its candidates, and then with 1 / |candidates of w|. Words are
 * taken whatever their casing, which is shared in clear.
 */
export class PseudonymSources {
  readonly #sources = new Map<number, Map<number, number>>();
  readonly #prior: ReadonlyMap<number, number>;
  readonly #ratios = new Map<string, number>();
  readonly #vocabulary: Pick<Vocabulary, 'uncased'>;

  constructor(
    /** The PHI words that an attacker thinks of, and how often each occurs; their candidates are known. */
    counts: ReadonlyMap<number, number>,
    candidates: Candidates,
    vocabulary: Pick<Vocabulary, 'uncased'>,
  ) {
    this.#vocabulary = vocabulary;
    const prior = new Map<number, number>();
    let total = 0;
    for (const [id, count] of counts) {
      const word = vocabulary.uncased(id);
      const isListed = prior.has(word);
      prior.set(word, (prior.get(word) ?? 0) + count);
      total += count;
      if (isListed) continue;
      const list = candidates.of(id);
      const options =
        list.length === 0 ? [word] : [...list].map((each) => vocabulary.uncased(each));
      for (const option of options) this.#add(option, word, 1 / options.length);
    }
    for (const [word, count] of prior) prior.set(word, count / total);
    this.#prior = prior;
  }

  /** log P(all `pseudonyms` | one word) of each word that can stand behind them, its prior not counted. */
  likelihoods(pseudonyms: readonly number[]): Map<number, number> {
    const [first, ...others] = pseudonyms.map((id) => this.#of(id));
    const found = new Map<number, number>();
    for (const [word, share] of first ?? []) {
      let sum = Math.log(share);
      for (const each of others) sum += Math.log(each.get(word) ?? 0);
      if (sum > Number.NEGATIVE_INFINITY) found.set(word, sum);
    }
    return found;
  }

  /**
   * How much likelier two pseudonyms are of one word than of two that were drawn independently:
   * Σ π(w) P(p|w) P(q|w) / (Σ π(w) P(p|w) · Σ π(w) P(q|w)). 1 where either tells nothing.
   */
  sameWord(p: number, q: number): number {
    const [one, other] = [this.#vocabulary.uncased(p), this.#vocabulary.uncased(q)].sort(
      (a, b) => a - b,
    );
    const key = `${one} ${other}`;
    const known = this.#ratios.get(key);
    if (known !== undefined) return known;
    const [ofOne, ofOther] = [this.#of(one as number), this.#of(other as number)];
    let both = 0;
    for (const [word, share] of ofOne)
      both += this.#priorOf(word) * share * (ofOther.get(word) ?? 0);
    const apart = this.#chanceOf(ofOne) * this.#chanceOf(ofOther);
    const ratio = apart > 0 ? both / apart : 1;
    this.#ratios.set(key, ratio);
    return ratio;
  }

  #chanceOf(sources: ReadonlyMap<number, number>): number {
    let sum = 0;
    for (const [word, share] of sources) sum += this.#priorOf(word) * share;
    return sum;
  }

  #priorOf(word: number): number {
    return this.#prior.get(word) ?? 0;
  }

  #of(id: number): ReadonlyMap<number, number> {
    return this.#sources.get(this.#vocabulary.uncased(id)) ?? new Map();
  }

  #add(option: number, word: number, share: number): void {
    const own = this.#sources.get(option) ?? new Map<number, number>();
    own.set(word, (own.get(word) ?? 0) + share);
    this.#sources.set(option, own);
  }
}
