import type { Store } from '../../pool-store/store.js';
import type { OpenRoute } from './route.js';

/** What an operator's tools ask, without a token. */
export function healthRoutes({ store }: { store: Store }, document: () => unknown): OpenRoute[] {
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
      path: '/openapi.json',
      summary: 'This document',
      handle: (response) => void response.json(document()),
    },
  ];
}
