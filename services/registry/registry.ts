import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Store } from '../../pool-store/store.js';
import { ROLES } from '../../pool-store/tokens.js';
import { createApp } from '../http/app.js';
import type { Limits } from '../http/limits.js';
import { sharedRoutes } from '../http/shared-routes.js';
import { auditRoutes } from './audit-routes.js';
import { modelRoutes } from './model-routes.js';

/** The registry: signed bundles in, and what auditors found about them. */
export function createRegistry(store: Store, logger: Logger, limits: Limits): Express {
  const shared = sharedRoutes(store, logger, {
    kind: 'bundle-file',
    uploaders: ['provider'],
    access: { kind: 'bundle-file', readers: ROLES, askers: [] },
    limits,
  });
  const routes = [...modelRoutes(store), ...auditRoutes(store), ...shared];
  return createApp({ name: 'registry', store, routes, logger, limits });
}
