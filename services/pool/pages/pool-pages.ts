import { MEMBERS } from '../../../pool-store/members/tokens.js';
import type { StorePages } from '../../http/pages/store-site.js';
import { CONTRIBUTION_READERS, SNAPSHOT_READERS } from '../roles.js';
import { contributionPage } from './contribution-page.js';
import { contributionsPage } from './contributions-page.js';
import { newSnapshotPage, snapshotCreation } from './new-snapshot.js';
import { overviewPage } from './overview-page.js';
import type { PoolPagesSetting } from './pool-setting.js';
import { QUOTA_READERS, quotasPage } from './quotas-page.js';
import { snapshotComparison } from './snapshot-comparison.js';
import { snapshotDifferencePage } from './snapshot-difference-page.js';
import { snapshotPage } from './snapshot-page.js';
import { snapshotsPage } from './snapshots-page.js';
import { withdrawal, withdrawalPage } from './withdrawal.js';

/** The pool for people: what was given, what was made of it, and how to take it back. */
export function poolPages(setting: PoolPagesSetting): StorePages {
  const { store } = setting;
  return {
    title: 'Pool',
    pages: [
      overviewPage(setting),
      ...[contributionsPage(store), contributionPage(setting), withdrawalPage(setting)],
      ...[snapshotsPage(store), newSnapshotPage(store), snapshotPage(store)],
      ...[snapshotComparison(), snapshotDifferencePage(store)],
      quotasPage(setting),
    ],
    forms: [withdrawal(setting), snapshotCreation(setting)],
    links: [
      { href: '/', label: 'Overview', roles: MEMBERS },
      { href: '/contributions', label: 'Contributions', roles: CONTRIBUTION_READERS },
      { href: '/snapshots', label: 'Snapshots', roles: SNAPSHOT_READERS },
      { href: '/quotas', label: 'Quotas', roles: QUOTA_READERS },
    ],
  };
}
