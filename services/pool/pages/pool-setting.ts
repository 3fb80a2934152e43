import type { Store } from '../../../pool-store/store.js';
import type { Limits } from '../../http/limits.js';
import type { ContributionAccess } from '../contribution-access.js';

/** What the pages of a pool show and change. */
export interface PoolPagesSetting {
  readonly store: Store;
  readonly access: ContributionAccess;
  readonly limits: Limits;
}
