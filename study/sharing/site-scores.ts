import type { Confused } from '../../models/evaluation/confusion.js';
import type { DocumentPair } from '../../models/evaluation/document-counts.js';
import { mapTypes } from '../../models/evaluation/map-types.js';
import { type Tagger, tag } from '../../models/networks/tagger.js';
import type { Document } from '../../models/text/document.js';
import {
  type DeidentifierScores,
  evaluatedPairs,
  freeTextScore,
  type MeasuredScore,
  scoresFrom,
} from '../runs/deidentifier-scores.js';
import type { Site } from '../runs/sites.js';
import type { Work } from '../runs/subject.js';

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

/** What a tagger finds in documents of each place, by its name. */
export function scoresBySite(
  tagger: Tagger,
  sites: readonly Site[],
  work: Work,
): Record<string, SiteScores> {
  return Object.fromEntries(
    sites.map(({ name, documents }) => [name, siteScores(tagger, documents, work)]),
  );
}

function siteScores(tagger: Tagger, documents: readonly Document[], { signal }: Work): SiteScores {
  const golds = documents.map((document) => mapTypes(document, tagger.scheme));
  const pairsAt = (threshold?: number): DocumentPair[] =>
    golds.map((gold) => {
      signal?.throwIfAborted();
      const { text, sentences } = gold;
      return { gold, system: { ...gold, spans: tag(text, tagger, { threshold, sentences }) } };
    });
  const evaluation = evaluatedPairs(pairsAt());
  return {
    ...scoresFrom(evaluation),
    freeText: freeTextScore(evaluation),
    low: LOW_THRESHOLDS.map(
      (threshold) => scoresFrom(evaluatedPairs(pairsAt(threshold))).binaryToken,
    ),
    byType: recallByType(evaluation.confusion),
  };
}

function recallByType(confusion: readonly Confused[]): Record<string, TypeRecall> {
  const types = new Map<string, { tokens: number; found: number }>();
  for (const { gold, system, tokens } of confusion) {
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
