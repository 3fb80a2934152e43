/** Whether a text had a part in an update. */
import { groupedBy } from '../../../platform/grouped-by.js';
import type { TextNetwork } from '../../networks/text-network.js';
import { bootstrapIntervals, type Interval } from '../../statistics/bootstrap.js';
import { areaUnder, rocCurve, type ScoredPair } from '../../statistics/roc.js';
import { descentOf } from './descent.js';
import type { HeldText } from './held-text.js';
import type { MatchedFilter } from './matched-filter.js';

/** Of members of an update against texts of nobody. */
export interface TextMembership {
  /** Area under the ROC curve; a half where there are none of one of both. */
  readonly auc: number;
  /** 95 %, by texts drawn anew; of too few it may be anything. */
  readonly interval: Interval;
}

const ANYTHING: Interval = [0, 1];

/** An outsider stands beside the texts of every update: it may come several times. Throws where there are no texts. */
export function textMembership(scored: readonly ScoredPair[]): TextMembership {
  if (scored.length === 0)
    throw new RangeError('no texts to tell apart; expected those of a holder');
  const byText = groupedBy(scored, ({ documentIndex }) => documentIndex);
  const [interval = ANYTHING] = bootstrapIntervals(
    [...byText.values()],
    (sample) => [aucOf(sample.flat())],
    { seed: 1 },
  );
  return { auc: aucOf(scored), interval };
}

/** How much of what each text does to the weights is in the update that a filter is of. */
export function evidenceOf(
  filter: MatchedFilter,
  texts: readonly HeldText[],
  network: TextNetwork,
): { readonly documentIndex: number; readonly score: number }[] {
  return texts.map(({ documentIndex, text }) => ({
    documentIndex,
    score: filter.evidence(descentOf(network, text)),
  }));
}

function aucOf(scored: readonly ScoredPair[]): number {
  const reals = scored.filter(({ real }) => real).length;
  return reals === 0 || reals === scored.length ? 0.5 : areaUnder(rocCurve(scored));
}
