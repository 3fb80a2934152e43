/**
 * What overlapping neighbours give away of pseudonymised notes whose sentences were shuffled (Friedrich et al. 2019,
 * section 9, where it is discussed and not measured): documents put together again, and names by all of their
 * pseudonyms; with each token moved on its own, and with moves that are the same all over a document.
 */

import { overlappingNeighbours } from '../../models/attacks/likelihood/overlapping-neighbours.js';
import { PseudonymSources } from '../../models/attacks/likelihood/pseudonym-sources.js';
import { joinedSentences } from '../../models/attacks/linkage/joined-sentences.js';
import { isPhi } from '../../models/certification/move.js';
import type { Candidates } from '../../models/embeddings/candidates.js';
import type { Vocabulary } from '../../models/embeddings/vocabulary.js';
import { estimate } from '../../models/statistics/estimate.js';
import { meanOf } from '../../models/statistics/mean-of.js';
import { type Origins, ofOrigins } from '../../models/statistics/origins.js';
import type { Random } from '../../models/tensor/random.js';
import type { TextExample } from '../../models/training/data/examples.js';
import { movedByDocument, movedTokens } from '../../models/training/data/pseudonymisation.js';
import type { Measured } from '../runs/deidentifier-scores.js';
import { asMeasured } from '../runs/measured.js';

/** How words are moved before they are shared. */
const MOVED_BY = ['nothing', 'token', 'document'] as const;
export type MovedBy = (typeof MOVED_BY)[number];

export interface JoinedDocuments {
  readonly movedBy: MovedBy;
  readonly sentences: number;
  /** Sentences whose likeliest other one is of their document. */
  readonly joined: Measured;
  /** The same of one drawn by chance. */
  readonly chance: number;
  /** Words that occur twice or more in a document. */
  readonly words: number;
  /** How often the likeliest word behind all pseudonyms of one is it. */
  readonly named: Measured;
}

export interface SharedNotes {
  readonly shared: readonly TextExample[];
  /** Which documents of `shared` belong together. */
  readonly origins: Origins;
  /** Notes of the attacker's own: how often it expects which PHI word. */
  readonly own: readonly TextExample[];
  readonly vocabulary: Vocabulary;
  /** Of the PHI words of both. */
  readonly candidates: Candidates;
}

/** The attacks on each way of moving. It knows which words occur as PHI, and how often in notes of its own. */
export function joinedDocuments(
  { shared, origins, own, vocabulary, candidates }: SharedNotes,
  random: Random,
): JoinedDocuments[] {
  const counts = wordCounts(shared, own);
  return MOVED_BY.map((movedBy) => {
    const moves = movedBy === 'nothing' ? candidates.unmoved() : candidates;
    const draws = random.fork(movedBy);
    const moved =
      movedBy === 'document'
        ? movedByDocument(shared, moves, vocabulary, draws)
        : movedTokens(shared, moves, draws);
    const sources = new PseudonymSources(counts, moves, vocabulary);
    const joined = joinedSentences(moved, sources, vocabulary);
    const named = overlappingNeighbours(shared, moved, sources, { vocabulary, candidates });
    return {
      movedBy,
      sentences: joined.length,
      joined: asMeasured(estimate(ofOrigins(joined, origins))),
      chance: meanOf(joined.map(({ chance }) => chance)),
      words: named.length,
      named: asMeasured(estimate(ofOrigins(named, origins))),
    };
  });
}

/** One for every PHI word, and what the attacker's own notes add. */
function wordCounts(
  shared: readonly TextExample[],
  own: readonly TextExample[],
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const example of shared)
    example.ids.forEach((id, at) => {
      if (isPhi(example, at)) counts.set(id, 1);
    });
  for (const example of own)
    example.ids.forEach((id, at) => {
      if (isPhi(example, at)) counts.set(id, (counts.get(id) ?? 1) + 1);
    });
  return counts;
}
