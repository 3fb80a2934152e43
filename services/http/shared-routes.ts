import type { Logger } from 'pino';
import type { BlobKind } from '../../pool-store/blob-records.js';
import type { Store } from '../../pool-store/store.js';
import type { Role } from '../../pool-store/tokens.js';
import { type BlobAccess, blobRoutes } from './blob-routes.js';
import { identityRoutes } from './identity-routes.js';
import type { Limits } from './limits.js';
import { logRoutes } from './log-routes.js';
import type { Route } from './route.js';
import { tokenRoutes } from './token-routes.js';
import { uploadRoutes } from './upload-routes.js';
import { Uploads } from './uploads.js';

export interface SharedRouteOptions {
  readonly kind: BlobKind;
  readonly uploaders: readonly Role[];
  readonly access: BlobAccess;
  readonly limits: Limits;
}

/** What both the registry and the pool offer. */
export function sharedRoutes(
  store: Store,
  logger: Logger,
  { kind, uploaders, access, limits }: SharedRouteOptions,
): Route[] {
  return [
    ...uploadRoutes(new Uploads(store, kind, logger, limits), uploaders),
    ...blobRoutes(store, access),
    ...tokenRoutes(store),
    ...identityRoutes(store),
    ...logRoutes(store),
  ];
}
