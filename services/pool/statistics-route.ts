import type { Store } from '../../pool-store/store.js';
import { MEMBERS } from '../../pool-store/tokens.js';
import { PATHS } from '../../proto/paths.js';
import { type Route, route } from '../http/route.js';

/** What the pool holds, added up; withdrawn contributions are counted apart. */
export function statisticsRoute({ contributions }: Store): Route {
  return route({
    method: 'get',
    path: PATHS.statistics,
    summary: 'What the pool holds',
    roles: MEMBERS,
    handle: () => {
      const all = contributions.list();
      const kept = all.filter(({ withdrawn }) => withdrawn === null);
      const sum = (key: 'segments' | 'sentences' | 'tokens' | 'bytes') =>
        kept.reduce((total, contribution) => total + contribution[key], 0);
      return {
        contributions: kept.length,
        withdrawn: all.length - kept.length,
        institutions: new Set(kept.map(({ institution }) => institution)).size,
        models: new Set(kept.map(({ model }) => model)).size,
        segments: sum('segments'),
        sentences: sum('sentences'),
        tokens: sum('tokens'),
        bytes: sum('bytes'),
      };
    },
  });
}
