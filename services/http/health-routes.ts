import type { Store } from '../../pool-store/store.js';
import type { Metrics } from './metrics.js';
import type { OpenRoute } from './route.js';

/** What an operator's tools ask, without a token. */
export function healthRoutes(
  { store }: { store: Store },
  metrics: Metrics,
  document: () => unknown,
): OpenRoute[] {
  return [
    {
      path: '/livez',
      summary: 'Whether the process answers',
      handle: (response) => void response.json({ status: 'ok' }),
    },
    {
      path: '/readyz',
      summary: 'Whether the catalog answers',
      handle: (response) => {
        store.log.head();
        response.json({ status: 'ok' });
      },
    },
    {
      path: '/metrics',
      summary: 'Metrics in the format of Prometheus',
      handle: async (response) => {
        const text = await metrics.registry.metrics();
        response.type(metrics.registry.contentType).send(text);
      },
    },
    {
      path: '/openapi.json',
      summary: 'This document',
      handle: (response) => void response.json(document()),
    },
  ];
}
