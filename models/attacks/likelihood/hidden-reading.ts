import type { AuditTarget } from '../target.js';
import type { TraitReader, Traits } from '../traits.js';
import { HiddenSearch, type SearchOptions } from './hidden-search.js';
import { drawUniformly, type HiddenWords } from './hidden-words.js';
import type { LanguagePrior } from './language-prior.js';

/** How one hidden word was read. */
export interface ReadWord {
  readonly documentIndex: number;
  readonly traits: Traits;
  readonly options: number;
}

/** A word as it was written: whether it was found with a prior, and by the prior alone, for each prior. */
export interface WrittenWord extends ReadWord {
  readonly withPrior: readonly boolean[];
  readonly priorAlone: readonly boolean[];
  readonly listAlone: boolean;
}

/** A word that was searched for without a prior. `listAlone` is there for a word as it was written. */
export interface PlainWord extends ReadWord {
  readonly success: boolean;
  readonly listAlone?: boolean;
}

/** The words of one sentence, as they were read with a language model and without one. */
export interface HiddenReading {
  readonly written: readonly WrittenWord[];
  readonly plain: readonly PlainWord[];
}

/**
 * Reads the hidden words of a sentence: with each of `priors`, by each prior alone, and without a prior.
 * Without one, words are drawn uniformly from their options and the sentence is encoded anew, since every
 * guess is then as good as another. Where the release was given, they stay the words that were written.
 */
export function readHidden(
  target: AuditTarget,
  hidden: HiddenWords,
  priors: readonly LanguagePrior[],
  traits: TraitReader,
  options: SearchOptions,
): HiddenReading {
  const search = new HiddenSearch(target, hidden, options);
  const looked = search.look(priors[priors.length - 1]);
  const alone = priors.map((prior) => search.guess(prior));
  const both = priors.map((prior) => search.likeliest(looked, prior));
  const lists = search.guessFromLists();
  const words = ({ example, places }: HiddenWords): ReadWord[] =>
    places.map(({ position, options: { length } }) => ({
      documentIndex: example.documentIndex,
      traits: traits.of(example, position),
      options: length,
    }));
  const written = words(hidden).map((word, place) => ({
    ...word,
    withPrior: both.map((filling) => search.isRight(filling, place)),
    priorAlone: alone.map((filling) => search.isRight(filling, place)),
    listAlone: search.isRight(lists, place),
  }));
  if (target.released) {
    const found = search.likeliest(looked);
    const plain = written.map((word, place) => {
      return { ...word, success: search.isRight(found, place) };
    });
    return { written, plain };
  }
  const random = options.random.fork('drawn');
  const drawn = drawUniformly(hidden, random);
  const own = new HiddenSearch(target, drawn, { ...options, random });
  const found = own.likeliest(own.look());
  const plain = words(drawn).map((word, place) => {
    return { ...word, success: own.isRight(found, place) };
  });
  return { written, plain };
}
