import { someCandidates } from '../models/attacks/likelihood/pair-trials.js';
import {
  naming,
  type Pseudonyms,
  tellingApart,
} from '../models/attacks/likelihood/pseudonym-reversal.js';
import { findCandidates } from '../models/embeddings/candidates.js';
import { estimate, type Observation } from '../models/statistics/estimate.js';
import { textExamples } from '../models/training/examples.js';
import { pairSource } from '../models/training/pairs.js';
import { phiWords } from '../models/training/recipes.js';
import type { KnownNoise } from './measurements.js';
import type { Subject, Work } from './subject.js';

/** Naming needs the candidates of every candidate, so that fewer words are tried. */
const NAMED = 100;

/**
 * The best attacks on pseudonymised held-out notes, on pairs drawn as those of a representation: one
 * PHI token of each sentence, and one of its candidates. Exact for each word; intervals are over
 * documents.
 */
export async function reversedPseudonyms(
  { heldOut, scheme, notes, run, random }: Subject,
  trials: number,
  work: Work,
): Promise<KnownNoise> {
  const { vocabulary } = notes;
  const { neighbours, digitMoves } = run.config;
  const moves = { ...work, digitMoves };
  const test = textExamples(heldOut, scheme, vocabulary);
  const own = await findCandidates(vocabulary, phiWords(test), neighbours, moves);
  const draws = random('pseudonyms');
  const sentences = [...pairSource(test, own).positions];
  draws.shuffle(sentences);
  const words = sentences.map(([{ ids, documentIndex }, positions]) => {
    const word = ids[positions[draws.integer(positions.length)]];
    const options = someCandidates(own, word, draws);
    return { documentIndex, word, options, drawn: options[draws.integer(options.length)] };
  });
  const named = words.slice(0, Math.min(NAMED, trials));
  const wanted = [
    ...words.map(({ drawn }) => drawn),
    ...named.flatMap(({ options }) => [...options]),
  ];
  const theirs = await findCandidates(vocabulary, wanted, neighbours, moves);
  const pseudonyms = (id: number): Pseudonyms => {
    const list = theirs.of(id);
    return list.length === 0 ? Int32Array.of(id) : list;
  };
  const apart = words.map(({ documentIndex, word, drawn }) => {
    return { documentIndex, value: tellingApart(own.of(word), pseudonyms(drawn)) };
  });
  const names = named.map(({ documentIndex, options }) => {
    return { documentIndex, value: naming(Array.from(options, pseudonyms)) };
  });
  const guesses = named.reduce((sum, { options }) => sum + 1 / options.length, 0) / named.length;
  return { 'pseudonym-twins': exact(apart, 0.5), 'pseudonym-word': exact(names, guesses) };
}

/** The best attack is its own limit. */
function exact(observations: readonly Observation[], chance: number): KnownNoise[string] {
  const { value, interval } = estimate(observations);
  const success = { value, interval };
  const documents = new Set(observations.map(({ documentIndex }) => documentIndex)).size;
  return { trials: observations.length, documents, success, chance, limit: success };
}
