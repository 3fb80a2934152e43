import type { Store } from '../../../pool-store/store.js';
import type { Proxies } from '../../http/client-address.js';
import type { Limits } from '../../http/limits.js';
import type { AuditSummaries } from './audit-summaries.js';

/** What the pages of the registry are read from. */
export interface RegistryReading {
  readonly store: Store;
  readonly summaries: AuditSummaries;
  readonly proxies: Proxies;
  readonly limits: Pick<Limits, 'reserveBytes'>;
}
