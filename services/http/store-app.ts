import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Role } from '../../pool-store/members/tokens.js';
import type { Store } from '../../pool-store/store.js';
import type { ServiceName } from '../../proto/paths.js';
import { createApp } from './app.js';
import { BlobReach } from './blob-reach.js';
import { type BlobAccess, blobRoutes } from './blob-routes.js';
import { NO_PROXIES, type Proxies } from './client-address.js';
import { explainInFull } from './explained-error.js';
import { identityRoutes } from './identity-routes.js';
import type { Limits } from './limits.js';
import { logRoutes } from './log-routes.js';
import { Metrics } from './metrics.js';
import { metricsRoute } from './metrics-route.js';
import { STORE_HEALTH } from './open-answers.js';
import { OpenIdLogin } from './pages/openid/openid-login.js';
import type { OpenIdProvider } from './pages/openid/openid-provider.js';
import { withStorePages } from './pages/store/store-pages.js';
import { type StorePages, storeSite } from './pages/store-site.js';
import type { OpenRoute, Route } from './route.js';
import { watchStore } from './store-metrics.js';
import { StoreTotals } from './store-totals.js';
import { TokenAccess } from './token-access.js';
import { tokenRoutes } from './token-routes.js';
import { uploadRoutes } from './upload-routes.js';
import { Uploads } from './uploads.js';

/** What the services over one store have in common. */
export interface StoreSetting {
  readonly store: Store;
  readonly logger: Logger;
  readonly limits: Limits;
  /** Whose word on the address of a client counts; nobody's where not given. */
  readonly proxies?: Proxies | undefined;
  /** Where people of the house have accounts; otherwise they log in with their tokens alone. */
  readonly openId?: OpenIdProvider | undefined;
  /** Those of the store, which its services share; this one's own where not given. */
  readonly totals?: StoreTotals | undefined;
}

export interface StoreService extends StoreSetting {
  readonly name: ServiceName;
  /** What it offers beside uploads, blobs, tokens, identities and the log. */
  readonly routes: readonly Route[];
  readonly blobs: BlobAccess;
  readonly uploaders: readonly Role[];
  readonly pages: StorePages;
}

const MAX_JSON_BYTES = 2_000_000;

/** The Express application of a service over a store, whose tokens its callers hold. */
export function createStoreApp({
  name,
  routes,
  blobs,
  uploaders,
  pages,
  ...setting
}: StoreService): Express {
  const { store, logger, limits, proxies = NO_PROXIES, openId } = setting;
  const { totals = new StoreTotals(store) } = setting;
  const metrics = new Metrics(name);
  const explain = explainInFull(logger);
  const reach = new BlobReach(store.blobs, explain);
  watchStore({ store, reach, totals }, metrics.registry);
  const access = new TokenAccess(store.tokens, limits.requestsPerMinute, proxies);
  return createApp({
    name,
    routes: [
      metricsRoute(metrics, ['monitor', 'admin']),
      ...routes,
      ...uploadRoutes(new Uploads(store, blobs.kind, limits), uploaders),
      ...blobRoutes(store, blobs),
      ...tokenRoutes(store),
      ...identityRoutes(store, limits),
      ...logRoutes(store),
    ],
    openRoutes: [readyRoute(store, reach)],
    access,
    site: storeSite(name, withStorePages(pages, store), {
      access,
      sessions: store.sessions,
      openId: openId && new OpenIdLogin(openId, store.tokens, name, proxies),
    }),
    maxBytes: MAX_JSON_BYTES,
    metrics,
    logger,
    explain,
  });
}

/**
 * A store whose blobs are away is ready: the catalog alone answers much, and if every replica went, nothing would.
 * One whose catalog was upgraded by another server is not: nothing can be written to it from here.
 */
function readyRoute({ log, catalog }: Store, reach: BlobReach): OpenRoute {
  return {
    path: '/readyz',
    summary:
      'Whether the catalog answers and is of this version, and whether the blobs can be reached',
    answer: { json: STORE_HEALTH },
    mayFail: true,
    handle: async (response) => {
      const [blobs] = await Promise.all([reach.state(), log.head(), catalog.requireKnown()]);
      response.json({ status: 'ok', blobs });
    },
  };
}
