import type { TypeOf } from '../../proto/typed-schema.js';
import { isPhi } from '../certification/move.js';
import { meanOf } from '../statistics/mean-of.js';
import { countContaining } from '../training/data/phi-statistics.js';
import type { CONTAINING_NEIGHBOURS } from './report/audit-schema.js';
import type { AuditTarget } from './target.js';

/** How many neighbours of a word contain the word itself, so that a move hardly hides it; means over words. */
export type ContainingNeighboursReport = TypeOf<typeof CONTAINING_NEIGHBOURS>;

/** Such neighbours of "garcía" are "García" and "garcía-lópez". */
export function containingNeighbours({
  test,
  candidates,
  vocabulary,
}: Pick<AuditTarget, 'test' | 'candidates' | 'vocabulary'>): ContainingNeighboursReport {
  const phi = new Set(test.flatMap((each) => [...each.ids].filter((_, at) => isPhi(each, at))));
  const counts = [...phi].flatMap((id) => {
    if (vocabulary.wordOf(id) === undefined) return [];
    if (vocabulary.isDigits(id) || !candidates.isMovable(id)) return [];
    const neighbours = candidates.of(id).filter((other) => other !== id).length;
    return [{ neighbours, containing: countContaining(id, candidates, vocabulary) }];
  });
  return {
    words: counts.length,
    neighbours: meanOf(counts.map(({ neighbours }) => neighbours)),
    containing: meanOf(counts.map(({ containing }) => containing)),
  };
}
