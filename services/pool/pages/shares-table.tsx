import type { VNode } from 'preact';
import { countText } from '../../../platform/amount-text.js';
import { ShareBar } from '../../../platform/pages/share-bar.js';
import { WideTable } from '../../../platform/pages/wide-table.js';
import { percent } from '../../../platform/percent-text.js';
import type { Share } from '../../../pool-store/snapshots/snapshot-holdings.js';

/** Sums of shares that have something in common. */
export interface Part extends Omit<Share, 'institution' | 'copies'> {
  readonly of: string;
}

const MOST = 50;

/** What each institution, or each number of copies, has in a snapshot; the largest where there are many. */
export function SharesTable({
  what,
  parts,
}: {
  readonly what: string;
  readonly parts: readonly Part[];
}): VNode {
  const whole = parts.reduce((sum, { sentences }) => sum + sentences, 0);
  return (
    <>
      <WideTable
        name={`By ${what.toLowerCase()}`}
        kind="folding"
        columns={[
          { heading: what, rowHeading: true, cell: ({ of }) => of },
          {
            heading: 'Contributions',
            number: true,
            cell: ({ contributions }) => countText(contributions),
          },
          {
            heading: 'Since withdrawn',
            number: true,
            cell: ({ withdrawn }) => countText(withdrawn),
          },
          { heading: 'Sentences', number: true, cell: ({ sentences }) => countText(sentences) },
          {
            heading: 'Share of sentences',
            cell: ({ sentences }) => (
              <>
                <ShareBar share={sentences / whole} of="the sentences" />
                {percent(sentences / whole)}
              </>
            ),
          },
        ]}
        rows={parts.slice(0, MOST)}
      />
      {parts.length > MOST && <p class="note">and {countText(parts.length - MOST)} smaller ones</p>}
    </>
  );
}

/** The shares that have the same key, added up; the most sentences first. */
export function partsBy(shares: readonly Share[], key: (share: Share) => string): Part[] {
  const parts = new Map<string, Part>();
  for (const share of shares) {
    const of = key(share);
    const before = parts.get(of);
    parts.set(of, {
      of,
      contributions: (before?.contributions ?? 0) + share.contributions,
      withdrawn: (before?.withdrawn ?? 0) + share.withdrawn,
      sentences: (before?.sentences ?? 0) + share.sentences,
      tokens: (before?.tokens ?? 0) + share.tokens,
    });
  }
  return [...parts.values()].sort((a, b) => b.sentences - a.sentences);
}
