import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Store } from '../../pool-store/store.js';
import type { Proxies } from '../http/client-address.js';
import type { Limits } from '../http/limits.js';
import { sharedRoutes } from '../http/shared-routes.js';
import { createStoreApp } from '../http/store-app.js';
import { contributionRoutes } from './contribution-routes.js';
import { runRoutes } from './run-routes.js';
import { snapshotRoutes } from './snapshot-routes.js';
import { statisticsRoute } from './statistics-route.js';

/** The pool: contributions in, snapshots out. */
export function createPool(
  store: Store,
  logger: Logger,
  limits: Limits,
  proxies?: Proxies,
): Express {
  const shared = sharedRoutes(store, logger, {
    kind: 'segment',
    uploaders: ['institution'],
    access: { kind: 'segment', readers: ['consumer', 'admin'], askers: ['institution'] },
    limits,
  });
  const routes = [
    ...contributionRoutes(store),
    ...snapshotRoutes(store, limits),
    ...runRoutes(store),
    statisticsRoute(store),
    ...shared,
  ];
  return createStoreApp({ name: 'pool', store, routes, logger, limits, proxies });
}
