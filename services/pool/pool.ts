import type { Express } from 'express';
import { createStoreApp, type StoreSetting } from '../http/store-app.js';
import { contributionRoutes } from './contribution-routes.js';
import { runRoutes } from './run-routes.js';
import { snapshotRoutes } from './snapshot-routes.js';
import { statisticsRoute } from './statistics-route.js';

/** The pool: contributions in, snapshots out. */
export function createPool(setting: StoreSetting): Express {
  const { store, limits } = setting;
  return createStoreApp({
    ...setting,
    name: 'pool',
    routes: [
      ...contributionRoutes(store),
      ...snapshotRoutes(store, limits),
      ...runRoutes(store),
      statisticsRoute(store),
    ],
    blobs: { kind: 'segment', readers: ['consumer', 'admin'], askers: ['institution'] },
    uploaders: ['institution'],
  });
}
