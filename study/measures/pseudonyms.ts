import { someCandidates } from '../../models/attacks/likelihood/pair-trials.js';
import {
  naming,
  type Pseudonyms,
  tellingApart,
} from '../../models/attacks/likelihood/pseudonym-reversal.js';
import { LEAST_ACCURACY } from '../../models/certification/accuracy.js';
import { type Candidates, findCandidates } from '../../models/embeddings/candidates.js';
import type { Vocabulary } from '../../models/embeddings/vocabulary.js';
import { documentsOf, estimate, type Observation } from '../../models/statistics/estimate.js';
import { meanOf } from '../../models/statistics/mean-of.js';
import { type Origins, ofOrigins } from '../../models/statistics/origins.js';
import type { Random } from '../../models/tensor/random.js';
import { originsOf } from '../../models/text/corpus/kept-together.js';
import { type TextExample, textExamples } from '../../models/training/data/examples.js';
import { pairSource } from '../../models/training/data/pairs.js';
import { phiWords } from '../../models/training/recipes.js';
import { asMeasured } from '../runs/measured.js';
import type { KnownNoise } from '../runs/measurements.js';
import type { Subject, Work } from '../runs/subject.js';

/** Naming needs the candidates of every candidate, so that fewer words are tried. */
const NAMED = 100;

/**
 * The best attacks on pseudonymised held-out notes, on pairs drawn as those of a representation: one
 * PHI token of each sentence, and one of its candidates. Exact for each word; intervals are over
 * documents, of which those that belong together are one. Null where no sentence has PHI that can move.
 */
export async function reversedPseudonyms(
  { heldOut, scheme, notes, run, random }: Subject,
  trials: number,
  work: Work,
): Promise<KnownNoise | null> {
  const { vocabulary } = notes;
  const { neighbours, digitMoves } = run.config;
  const moves = { ...work, digitMoves };
  const test = textExamples(heldOut, scheme, vocabulary);
  const own = await findCandidates(vocabulary, phiWords(test), neighbours, moves);
  const draws = random('pseudonyms');
  const words = drawnWords(test, own, draws);
  if (words.length === 0) return null;
  const named = words.slice(0, Math.min(NAMED, trials));
  const wanted = [
    ...words.map(({ drawn }) => drawn),
    ...named.flatMap(({ options }) => [...options]),
  ];
  const theirs = await findCandidates(vocabulary, wanted, neighbours, moves);
  const pseudonyms = (id: number) => pseudonymsOf(theirs, id);
  const apart = toldApart(words, own, theirs);
  const names = named.map(({ documentIndex, options }) => {
    return { documentIndex, value: naming(Array.from(options, pseudonyms)) };
  });
  const guesses = meanOf(named.map(({ options }) => 1 / options.length));
  const origins = originsOf(heldOut);
  return {
    'pseudonym-twins': exact(apart, origins, LEAST_ACCURACY, LEAST_ACCURACY),
    'pseudonym-word': exact(names, origins, guesses),
  };
}

/** The same telling apart, of one PHI word of each sentence, where a word becomes one of `neighbours`. */
export async function pseudonymsToldApart(
  sentences: readonly TextExample[],
  vocabulary: Vocabulary,
  neighbours: number,
  draws: Random,
  work: Work,
): Promise<Observation[]> {
  const own = await findCandidates(vocabulary, phiWords(sentences), neighbours, work);
  const words = drawnWords(sentences, own, draws);
  const drawn = words.map((word) => word.drawn);
  return toldApart(words, own, await findCandidates(vocabulary, drawn, neighbours, work));
}

/** A PHI word, some of its candidates, and the one that is drawn. */
interface DrawnWord {
  readonly documentIndex: number;
  readonly word: number;
  readonly options: Int32Array;
  readonly drawn: number;
}

/** One of each sentence that has one, in an order drawn by chance. */
function drawnWords(
  notes: readonly TextExample[],
  candidates: Candidates,
  draws: Random,
): DrawnWord[] {
  const sentences = [...pairSource(notes, candidates).positions];
  draws.shuffle(sentences);
  return sentences.map(([{ ids, documentIndex }, positions]) => {
    const word = ids[positions[draws.integer(positions.length)] as number] as number;
    const options = someCandidates(candidates, word, draws);
    return {
      documentIndex,
      word,
      options,
      drawn: options[draws.integer(options.length)] as number,
    };
  });
}

function toldApart(
  words: readonly DrawnWord[],
  own: Candidates,
  theirs: Candidates,
): Observation[] {
  return words.map(({ documentIndex, word, drawn }) => {
    return { documentIndex, value: tellingApart(own.of(word), pseudonymsOf(theirs, drawn)) };
  });
}

function pseudonymsOf(candidates: Candidates, id: number): Pseudonyms {
  const list = candidates.of(id);
  return list.length === 0 ? Int32Array.of(id) : list;
}

/** The best attack is its own limit; it is right in `least` of the tries of any word. */
function exact(
  each: readonly Observation[],
  origins: Origins,
  chance: number,
  least = 0,
): KnownNoise[string] {
  const observations = ofOrigins(each, origins);
  const success = asMeasured(estimate(observations, 1, least));
  const documents = documentsOf(observations);
  return { trials: observations.length, documents, success, chance, limit: success };
}
