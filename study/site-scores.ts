import { Confusion } from '../models/evaluation/confusion.js';
import type { DocumentPair } from '../models/evaluation/document-counts.js';
import { mapTypes } from '../models/evaluation/map-types.js';
import { type Tagger, tag } from '../models/networks/tagger.js';
import type { Document } from '../models/text/document.js';
import { tokenise } from '../models/text/tokeniser.js';
import {
  type DeidentifierScores,
  freeTextScore,
  type MeasuredScore,
  scoresOfPairs,
} from './deidentifier-scores.js';
import type { Work } from './subject.js';

/** Of all tokens of a type, those that were found, whatever type they were taken for. */
export interface TypeRecall {
  readonly tokens: number;
  readonly recall: number;
}

/** A token is PHI from one of these posteriors on, where what is missed costs more than what is found in excess. */
export const LOW_THRESHOLDS = [0.1, 0.2, 0.3, 0.4] as const;

export interface SiteScores extends DeidentifierScores {
  /** Tokens, PHI or not, between header and signature. */
  readonly freeText: MeasuredScore;
  /** Tokens, PHI or not, at each of `LOW_THRESHOLDS`. */
  readonly low: readonly MeasuredScore[];
  readonly byType: Readonly<Record<string, TypeRecall>>;
}

/** What a tagger finds in documents of one place. */
export function siteScores(
  tagger: Tagger,
  documents: readonly Document[],
  { signal }: Work,
): SiteScores {
  const golds = documents.map((document) => mapTypes(document, tagger.scheme));
  const pairsAt = (threshold?: number): DocumentPair[] =>
    golds.map((gold) => {
      signal?.throwIfAborted();
      const { text, sentences } = gold;
      return { gold, system: { ...gold, spans: tag(text, tagger, { threshold, sentences }) } };
    });
  const pairs = pairsAt();
  const confusion = new Confusion();
  for (const { gold, system } of pairs)
    confusion.add(tokenise(gold.text), gold.spans, system.spans);
  const low = LOW_THRESHOLDS.map((threshold) => scoresOfPairs(pairsAt(threshold)).binaryToken);
  return {
    ...scoresOfPairs(pairs),
    ...{ freeText: freeTextScore(pairs), low },
    byType: recallByType(confusion),
  };
}

function recallByType({ entries }: Confusion): Record<string, TypeRecall> {
  const types = new Map<string, { tokens: number; found: number }>();
  for (const { gold, system, tokens } of entries) {
    if (gold === null) continue;
    const sum = types.get(gold) ?? { tokens: 0, found: 0 };
    sum.tokens += tokens;
    if (system !== null) sum.found += tokens;
    types.set(gold, sum);
  }
  const sorted = [...types].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    sorted.map(([type, { tokens, found }]) => [type, { tokens, recall: found / tokens }]),
  );
}
