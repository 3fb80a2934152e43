import type { Express } from 'express';
import { MEMBERS } from '../../pool-store/members/tokens.js';
import { createStoreApp, type StoreSetting } from '../http/store-app.js';
import { auditRoutes } from './audit-routes.js';
import { modelRoutes } from './model-routes.js';
import { registryPages } from './pages/registry-pages.js';

/** The registry: signed bundles in, and what auditors found about them. */
export function createRegistry(setting: StoreSetting): Express {
  const { store, proxies, limits } = setting;
  return createStoreApp({
    ...setting,
    name: 'registry',
    routes: [...modelRoutes(store, limits), ...auditRoutes(store, limits)],
    blobs: { kind: 'bundle-file', readers: MEMBERS, askers: [] },
    pages: registryPages(store, limits, proxies),
    uploaders: ['provider'],
  });
}
