import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Store } from '../../pool-store/store.js';
import { MEMBERS } from '../../pool-store/tokens.js';
import type { Proxies } from '../http/client-address.js';
import type { Limits } from '../http/limits.js';
import { sharedRoutes } from '../http/shared-routes.js';
import { createStoreApp } from '../http/store-app.js';
import { auditRoutes } from './audit-routes.js';
import { modelRoutes } from './model-routes.js';

/** The registry: signed bundles in, and what auditors found about them. */
export function createRegistry(
  store: Store,
  logger: Logger,
  limits: Limits,
  proxies?: Proxies,
): Express {
  const shared = sharedRoutes(store, logger, {
    kind: 'bundle-file',
    uploaders: ['provider'],
    access: { kind: 'bundle-file', readers: MEMBERS, askers: [] },
    limits,
  });
  const routes = [...modelRoutes(store), ...auditRoutes(store), ...shared];
  return createStoreApp({ name: 'registry', store, routes, logger, limits, proxies });
}
