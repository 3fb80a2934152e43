import { CONTRIBUTION_TOTALS } from '../../pool-store/contributions/contribution-index.js';
import { MEMBERS } from '../../pool-store/members/tokens.js';
import type { Store } from '../../pool-store/store.js';
import { PATHS } from '../../proto/paths.js';
import { type Route, route } from '../http/route.js';

/** What the pool holds, added up; withdrawn contributions are counted apart. */
export function statisticsRoute({ contributionIndex }: Store): Route {
  return route({
    method: 'get',
    path: PATHS.statistics,
    summary: 'What the pool holds',
    roles: MEMBERS,
    answer: { json: CONTRIBUTION_TOTALS },
    handle: () => contributionIndex.totals(),
  });
}
