import type { ReadText } from '../../models/networks/text-network.js';

/** Tokens, PHI or not, whatever their type. */
export interface TokenScore {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** What a network finds in texts that it was not trained on. */
export function tokenScore(texts: Iterable<ReadText>): TokenScore {
  let [found, wrong, missed] = [0, 0, 0];
  for (const text of texts) {
    const decoded = text.decode();
    text.labels.forEach((label, t) => {
      const isPhi = label > 0;
      const isTaken = (decoded[t] as number) > 0;
      if (isPhi && isTaken) found++;
      else if (isTaken) wrong++;
      else if (isPhi) missed++;
    });
  }
  return {
    precision: share(found, found + wrong),
    recall: share(found, found + missed),
    f1: share(2 * found, 2 * found + wrong + missed),
  };
}

/** 0 of nothing. */
function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
