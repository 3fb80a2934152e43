import type { Role } from '../../pool-store/members/tokens.js';
import type { Metrics } from './metrics.js';
import { type Route, route } from './route.js';

/** For Prometheus, which authenticates as every caller does: how much is done, and for whom, is nobody else's business. */
export function metricsRoute({ registry }: Metrics, roles?: readonly Role[]): Route {
  return route({
    method: 'get',
    path: '/metrics',
    summary: 'Metrics in the format of Prometheus',
    ...(roles && { roles }),
    answer: { media: ['text/plain'] },
    handle: async ({ response }) => {
      const text = await registry.metrics();
      response.type(registry.contentType).send(text);
    },
  });
}
