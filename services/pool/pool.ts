import type { Express } from 'express';
import { createStoreApp, type StoreSetting } from '../http/store-app.js';
import { checkpointRoutes } from './checkpoint-routes.js';
import { ContributionAccess } from './contribution-access.js';
import { contributionRoutes } from './contribution-routes.js';
import { jobRoutes } from './job-routes.js';
import { poolPages } from './pages/pool-pages.js';
import { ReplayCheck } from './replay-check.js';
import { runRoutes } from './run-routes.js';
import { requireHandedOn } from './segment-bytes.js';
import { snapshotRoutes } from './snapshot-routes.js';
import { statisticsRoute } from './statistics-route.js';
import { workerRoutes } from './worker-routes.js';

export interface PoolSetting extends StoreSetting {
  /**
   * Refuses contributions whose labelled entities were encoded as they are, but for those of these types; takes
   * all without it.
   */
  readonly replacedBut?: readonly string[] | undefined;
  /** Refuses contributions of models that no registry on the same records has published. */
  readonly knownModels?: boolean | undefined;
}

/** The pool: contributions in, snapshots out. */
export function createPool({ replacedBut, knownModels, ...setting }: PoolSetting): Express {
  const { store, limits } = setting;
  const replays = new ReplayCheck(store);
  store.withdrawals.onWithdrawn((segments) => replays.forget(segments));
  const access = new ContributionAccess(store, replays);
  return createStoreApp({
    ...setting,
    name: 'pool',
    routes: [
      ...contributionRoutes({ store, access, replays, replacedBut, knownModels }),
      ...snapshotRoutes(store, limits),
      ...runRoutes(store, limits),
      ...jobRoutes(store, limits),
      ...workerRoutes(store, limits),
      ...checkpointRoutes(store, limits),
      statisticsRoute(store),
    ],
    blobs: {
      kind: 'segment',
      readers: ['consumer', 'admin'],
      askers: ['institution'],
      requireReadable: (digest) => requireHandedOn(store, digest),
    },
    pages: poolPages({ store, access, limits }),
    uploaders: ['institution'],
  });
}
