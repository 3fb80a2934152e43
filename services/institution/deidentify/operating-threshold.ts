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

/**
 * The highest threshold at which at least `recall` of the PHI tokens of labelled documents are
 * found. Throws `corpus-invalid` where they hold no PHI.
 */
export async function operatingPoint(
  documents: AsyncIterable<Document> | Iterable<Document>,
  tagger: Tagger,
  recall: number,
  signal?: AbortSignal,
): Promise<OperatingPoint> {
  const phi: number[] = [];
  const other: number[] = [];
  for await (const { text, spans, sentences } of documents) {
    let at = 0;
    const tokens: { start: number; end: number; phi: number }[] = [];
    for await (const token of scoreTokens(text, tagger, { sentences, signal })) tokens.push(token);
    tokens.sort((a, b) => a.start - b.start);
    for (const token of tokens) {
      while (at < spans.length && (spans[at]?.end ?? 0) <= token.start) at++;
      const span = spans[at];
      (span && span.start < token.end ? phi : other).push(token.phi);
    }
  }
  if (phi.length === 0)
    throw new TacetError(
      'corpus-invalid',
      'the dev documents hold no PHI to choose a threshold by',
    );
  phi.sort((a, b) => b - a);
  const threshold = phi[Math.ceil(recall * phi.length) - 1] as number;
  const found = phi.filter((score) => score >= threshold).length;
  const wrong = other.filter((score) => score >= threshold).length;
  return { threshold, recall: found / phi.length, precision: found / (found + wrong) };
}
