import type { Metrics } from './metrics.js';
import { type Route, route } from './route.js';

/** For Prometheus, with a token: the metrics name institutions and say how much each has given. */
export function metricsRoute({ registry }: Metrics): Route {
  return route({
    method: 'get',
    path: '/metrics',
    summary: 'Metrics in the format of Prometheus',
    roles: ['monitor', 'admin'],
    handle: async ({ response }) => {
      const text = await registry.metrics();
      response.type(registry.contentType).send(text);
    },
  });
}
