import type { VNode } from 'preact';
import { amountText, bytesText, countText } from '../../../platform/amount-text.js';
import { Breadcrumbs } from '../../../platform/pages/breadcrumbs.js';
import { WholeDigest } from '../../../platform/pages/digest.js';
import { Facts } from '../../../platform/pages/facts.js';
import { Time } from '../../../platform/pages/time.js';
import type { Share } from '../../../pool-store/snapshots/snapshot-holdings.js';
import type { SnapshotSummary } from '../../../pool-store/snapshots/snapshot-index.js';
import type { Store } from '../../../pool-store/store.js';
import { treatmentText } from '../../../proto/entity-treatment.js';
import { type Page, page } from '../../http/pages/page.js';
import { extentOf, pagingQuery, QueryPages } from '../../http/pages/paging.js';
import { SNAPSHOT_READERS } from '../roles.js';
import { ComparisonForm } from './comparison-form.js';
import { HoldingsTable } from './holdings-table.js';
import { ModelName, type ModelNames, modelNames } from './model-name.js';
import { partsBy, SharesTable } from './shares-table.js';
import { SnapshotState } from './snapshots-table.js';
import { TrainingCommand } from './training-command.js';
import { RunsTable } from './uses-table.js';
import { GoneNotice, WithdrawnSince } from './withdrawn-since.js';

/** Of what was withdrawn since, of the training runs, and of the newest snapshots to compare it with. */
const MOST_GONE = 20;
const MOST_RUNS = 100;
const OFFERED = { offset: 0, limit: 50 };

/** What a snapshot holds, of whom, who trained on it, and what of it was withdrawn since. */
export function snapshotPage(store: Store): Page {
  const { snapshotIndex, snapshotHoldings, trainingRuns } = store;
  return page({
    path: '/snapshots/{id}',
    roles: SNAPSHOT_READERS,
    query: pagingQuery,
    async show({ params, query, request }) {
      const snapshot = await snapshotIndex.get(params.id);
      const { id, withdrawn } = snapshot;
      const held = await snapshotHoldings.held(id, extentOf(query));
      const shares = await snapshotHoldings.sharesOf(id);
      const names = await modelNames(store, [snapshot.model]);
      const gone = withdrawn ? await snapshotHoldings.withdrawnFrom(id, MOST_GONE) : undefined;
      const runs = {
        rows: await trainingRuns.of(id, { limit: MOST_RUNS }),
        total: await trainingRuns.count(id),
      };
      const { rows: offered } = await snapshotIndex.page(OFFERED);
      return {
        title: `Snapshot ${id.slice(0, 12)}…`,
        body: (
          <>
            <Breadcrumbs
              steps={[{ text: 'Snapshots', href: '/snapshots' }]}
              here={`${id.slice(0, 12)}…`}
            />
            <p>
              <SnapshotState withdrawn={withdrawn} />
            </p>
            {withdrawn && <GoneNotice />}
            <SnapshotFacts names={names} snapshot={snapshot} />
            {gone ? <WithdrawnSince of={gone} /> : <TrainingCommand request={request} id={id} />}
            <h2>By institution</h2>
            <SharesTable
              what="Institution"
              parts={partsBy(shares, ({ institution }) => institution)}
            />
            <Copies shares={shares} />
            <h2>Training runs</h2>
            <RunsTable runs={runs} />
            <h2>Contributions</h2>
            <HoldingsTable name="Contributions" rows={held.rows} empty="There are no more." />
            <QueryPages path={`/snapshots/${id}`} query={query} total={held.total} />
            <ComparisonForm id={id} offered={offered} />
          </>
        ),
      };
    },
  });
}

/** Nothing where all notes left once. */
function Copies({ shares }: { readonly shares: readonly Share[] }): VNode | null {
  if (shares.every(({ copies }) => copies === 1)) return null;
  return (
    <>
      <h2>By copies</h2>
      <p>
        Notes that left in several copies, each time with other entities, weigh as much in training
        as those that left once.
      </p>
      <SharesTable what="Copies" parts={partsBy(shares, ({ copies }) => `${copies}`)} />
    </>
  );
}

interface SnapshotFactsProps {
  readonly names: ModelNames;
  readonly snapshot: SnapshotSummary;
}

function SnapshotFacts({ names, snapshot }: SnapshotFactsProps): VNode {
  const { id, created, model, labelScheme, labelCount, entities, keptTypes } = snapshot;
  const { dimension, elementType, segments, sentences, tokens, bytes } = snapshot;
  return (
    <Facts
      facts={[
        ['Snapshot', <WholeDigest of={id} />],
        ['Created', <Time iso={created} />],
        ['Model', <ModelName names={names} digest={model} />],
        ['Digest of the model', <WholeDigest of={model} />],
        ['Label scheme', <WholeDigest of={labelScheme} />],
        ['Labels', countText(labelCount)],
        ['Labelled entities', treatmentText(entities, keptTypes)],
        ['Vectors', `${amountText(dimension, 'dimension')}, ${elementType}`],
        ['Sentences', `${countText(sentences)}, of ${amountText(tokens, 'token')}`],
        ['Segments', `${countText(segments)}, ${bytesText(bytes)}`],
      ]}
    />
  );
}
