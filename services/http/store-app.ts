import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Store } from '../../pool-store/store.js';
import { createApp } from './app.js';
import type { Proxies } from './client-address.js';
import { explainInFull } from './explained-error.js';
import type { Limits } from './limits.js';
import { Metrics } from './metrics.js';
import { metricsRoute } from './metrics-route.js';
import type { OpenRoute, Route } from './route.js';
import { watchStore } from './store-metrics.js';
import { TokenAccess } from './token-access.js';

/** A service over a store, whose tokens its callers hold. */
export interface StoreService {
  /** `registry` or `pool`. */
  readonly name: string;
  readonly store: Store;
  readonly routes: readonly Route[];
  readonly logger: Logger;
  readonly limits: Limits;
  /** Whose word on the address of a client counts; nobody's where not given. */
  readonly proxies?: Proxies | undefined;
}

const MAX_JSON_BYTES = 2_000_000;

export function createStoreApp({
  name,
  store,
  routes,
  logger,
  limits,
  proxies,
}: StoreService): Express {
  const metrics = new Metrics(name);
  watchStore(store, metrics.registry);
  return createApp({
    name,
    routes: [metricsRoute(metrics, ['monitor', 'admin']), ...routes],
    openRoutes: [readyRoute(store)],
    access: new TokenAccess(store.tokens, limits.requestsPerMinute, proxies),
    maxBytes: MAX_JSON_BYTES,
    metrics,
    logger,
    explain: explainInFull(logger),
  });
}

function readyRoute({ log }: Store): OpenRoute {
  return {
    path: '/readyz',
    summary: 'Whether the catalog answers',
    handle: (response) => {
      log.head();
      response.json({ status: 'ok' });
    },
  };
}
