import type { VNode } from 'preact';
import { amountText, bytesText, countText } from '../../../platform/amount-text.js';
import { type Fact, Facts } from '../../../platform/pages/facts.js';
import { Notice } from '../../../platform/pages/notice.js';
import type { ContributionTotals } from '../../../pool-store/contributions/contribution-index.js';
import { MEMBERS } from '../../../pool-store/members/tokens.js';
import { APPROVERS } from '../../http/identity-routes.js';
import { type Page, page } from '../../http/pages/page.js';
import { bytesAgainstQuota } from '../../http/upload-admission.js';
import { scopeOf } from '../contribution-access.js';
import { SNAPSHOT_READERS } from '../roles.js';
import { ContributionsTable } from './contributions-table.js';
import { modelNames } from './model-name.js';
import type { PoolPagesSetting } from './pool-setting.js';
import { Quota, type QuotaProps } from './quota.js';
import { SnapshotsTable } from './snapshots-table.js';

const NEWEST = { offset: 0, limit: 5 };

/** What the pool holds, for whoever reads: their own first. */
export function overviewPage({ store, limits: { quotaBytes } }: PoolPagesSetting): Page {
  const { contributionIndex } = store;
  return page({
    path: '/',
    roles: MEMBERS,
    async show({ token }) {
      const institution = scopeOf(token);
      const used =
        institution === undefined
          ? undefined
          : (await bytesAgainstQuota(store, [institution])).get(institution);
      const own =
        institution === undefined ? undefined : await contributionIndex.totals(institution);
      const newest =
        institution === undefined
          ? []
          : (await contributionIndex.page({ institution }, NEWEST)).rows;
      const totals = await contributionIndex.totals();
      const waiting = APPROVERS.includes(token.role) ? await store.identities.waiting() : 0;
      const snapshots = SNAPSHOT_READERS.includes(token.role)
        ? (await store.snapshotIndex.page(NEWEST)).rows
        : undefined;
      const names = await modelNames(
        store,
        [...newest, ...(snapshots ?? [])].map(({ model }) => model),
      );
      return {
        title: 'Overview',
        body: (
          <>
            <Waiting keys={waiting} />
            {own && used !== undefined && (
              <>
                <h2>What {institution} gave</h2>
                <OwnFacts totals={own} quota={{ used, quota: quotaBytes }} />
                <h3>Newest</h3>
                <ContributionsTable
                  names={names}
                  rows={newest}
                  empty="Nothing was given yet: tacet contribute gives what tacet encode released."
                />
              </>
            )}
            <h2>What the pool holds</h2>
            <TotalFacts totals={totals} />
            <p class="note">
              Vectors with noise, one for each token, with labels and lengths of sentences in clear.
              No text came here.
            </p>
            {snapshots && (
              <>
                <h2>Newest snapshots</h2>
                <SnapshotsTable names={names} rows={snapshots} />
              </>
            )}
          </>
        ),
      };
    },
  });
}

/** How many keys nobody has approved yet. */
function Waiting({ keys }: { readonly keys: number }): VNode | null {
  if (keys === 0) return null;
  return (
    <Notice>
      <p>
        <a href="/identities">
          {amountText(keys, 'key waits', 'keys wait')} for somebody to compare and approve
        </a>
        .
      </p>
    </Notice>
  );
}

interface OwnFactsProps {
  readonly totals: ContributionTotals;
  readonly quota: QuotaProps;
}

function OwnFacts({ totals, quota }: OwnFactsProps): VNode {
  return <Facts facts={[...factsOf(totals), ['Quota', <Quota {...quota} />]]} />;
}

function TotalFacts({ totals }: { readonly totals: ContributionTotals }): VNode {
  const { institutions, models } = totals;
  const from = `${amountText(institutions, 'institution')}, with ${amountText(models, 'model')}`;
  return <Facts facts={[...factsOf(totals), ['From', from]]} />;
}

function factsOf(totals: ContributionTotals): Fact[] {
  const { contributions, withdrawn, sentences, tokens, bytes } = totals;
  return [
    ['Contributions', `${countText(contributions)} held, ${countText(withdrawn)} withdrawn`],
    ['Sentences', `${countText(sentences)}, of ${amountText(tokens, 'token')}`],
    ['Vectors', bytesText(bytes)],
  ];
}
