import type { TraitReader, Traits } from '../inversion/traits.js';
import type { AuditTarget } from '../target.js';
import { HiddenSearch, type SearchOptions } from './hidden-search.js';
import { drawnUniformly, type HiddenWords } from './hidden-words.js';
import type { LanguagePrior } from './language-prior.js';

/** How one hidden word was read. */
export interface ReadWord {
  readonly documentIndex: number;
  readonly traits: Traits;
  readonly options: number;
}

/** One that was written, with the prior and by the prior alone, for each share of the notes. */
export interface WrittenWord extends ReadWord {
  readonly withPrior: readonly boolean[];
  readonly priorAlone: readonly boolean[];
  readonly listAlone: boolean;
}

/** One without the prior. `listAlone` where it was written; else the list says nothing of it. */
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
 * Reads the hidden words of a sentence: with each of `priors` and by each alone, and once more without
 * any. The last time the words are drawn afresh, uniformly, and encoded anew; but where a release was
 * given, they are the written ones still.
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
  const drawn = drawnUniformly(hidden, random);
  const own = new HiddenSearch(target, drawn, { ...options, random });
  const found = own.likeliest(own.look());
  const plain = words(drawn).map((word, place) => {
    return { ...word, success: own.isRight(found, place) };
  });
  return { written, plain };
}
