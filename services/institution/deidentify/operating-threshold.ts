import { scoreTokens, type Tagger } from '../../../models/networks/tagger.js';
import type { Document } from '../../../models/text/document.js';
import { TacetError } from '../../../proto/errors.js';

/** Where a tagger works so that it misses no more than is allowed. */
export interface OperatingPoint {
  /** For `TagOptions.threshold`. */
  readonly threshold: number;
  /** Of the tokens of PHI in the dev data, how many are found there. */
  readonly recall: number;
  /** Of the tokens that it finds there, how many are PHI. */
  readonly precision: number;
}

/** Posteriors of tokens. */
interface Scores {
  readonly phi: number[];
  readonly other: number[];
}

/**
 * The highest threshold at which at least `recall` of the PHI tokens of labelled documents are found, both in the sentences that
 * documents state and in those of Tacet: whatever is read afterwards may state some or not. Recall and precision are the lesser
 * of both. Throws `corpus-invalid` where the documents hold no PHI.
 */
export async function operatingPoint(
  documents: AsyncIterable<Document> | Iterable<Document>,
  tagger: Tagger,
  recall: number,
  signal?: AbortSignal,
): Promise<OperatingPoint> {
  const [stated, own] = [noScores(), noScores()];
  for await (const document of documents) {
    const { sentences, ...unparted } = document;
    const scores = await scoresOf(unparted, tagger, signal);
    join(own, scores);
    join(stated, sentences === undefined ? scores : await scoresOf(document, tagger, signal));
  }
  if (own.phi.length === 0)
    throw new TacetError(
      'corpus-invalid',
      'the dev documents hold no PHI to choose a threshold by',
    );
  const threshold = Math.min(thresholdOf(stated, recall), thresholdOf(own, recall));
  const [first, second] = [pointAt(stated, threshold), pointAt(own, threshold)];
  return {
    threshold,
    recall: Math.min(first.recall, second.recall),
    precision: Math.min(first.precision, second.precision),
  };
}

function noScores(): Scores {
  return { phi: [], other: [] };
}

function join(scores: Scores, { phi, other }: Scores): void {
  for (const score of phi) scores.phi.push(score);
  for (const score of other) scores.other.push(score);
}

async function scoresOf(
  { text, spans, sentences }: Omit<Document, 'id'>,
  tagger: Tagger,
  signal: AbortSignal | undefined,
): Promise<Scores> {
  const scores = noScores();
  let at = 0;
  const tokens: { start: number; end: number; phi: number }[] = [];
  for await (const token of scoreTokens(text, tagger, { sentences, signal })) tokens.push(token);
  tokens.sort((a, b) => a.start - b.start);
  for (const token of tokens) {
    while (at < spans.length && (spans[at]?.end ?? 0) <= token.start) at++;
    const span = spans[at];
    (span && span.start < token.end ? scores.phi : scores.other).push(token.phi);
  }
  return scores;
}

function thresholdOf({ phi }: Scores, recall: number): number {
  return phi.toSorted((a, b) => b - a)[Math.ceil(recall * phi.length) - 1] as number;
}

function pointAt({ phi, other }: Scores, threshold: number): Omit<OperatingPoint, 'threshold'> {
  const found = phi.filter((score) => score >= threshold).length;
  const wrong = other.filter((score) => score >= threshold).length;
  return { recall: found / phi.length, precision: found / (found + wrong) };
}
