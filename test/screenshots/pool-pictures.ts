import type { Page } from 'playwright-core';
import type { Servers } from '../../services/cli/servers.js';
import { type FurnishedPool, furnishPool } from '../services/pool/pages/furnished-pool.js';
import { serve } from '../services/world.js';
import type { Picture } from './pictures.js';

export interface ServedPool {
  readonly pool: FurnishedPool;
  readonly servers: Servers;
  readonly url: string;
}

export async function servedPool(): Promise<ServedPool> {
  const pool = await furnishPool();
  const servers = await serve(pool.world);
  return { pool, servers, url: servers.addresses.pool ?? '' };
}

/** What an institution sees, and what an operator does. */
export function poolPictures({
  pool: { own, snapshots, waitingKey, spareToken },
  url,
}: ServedPool): {
  readonly institution: Picture[];
  readonly operator: Picture[];
} {
  const at = (name: string, path: string): Picture => ({ name: `pool-${name}`, url: url + path });
  return {
    institution: [
      at('overview', '/'),
      at('contributions', '/contributions'),
      at('contribution', `/contributions/${own.copied.id}`),
      at('withdrawal', `/contributions/${own.kept.id}/withdraw`),
    ],
    operator: [
      at('snapshots', '/snapshots'),
      at('snapshot', `/snapshots/${snapshots.gone.id}`),
      at('difference', `/snapshots/${snapshots.gone.id}/diff/${snapshots.kept.id}`),
      at('new-snapshot', '/snapshots/new'),
      at('quotas', '/quotas'),
      at('keys', '/identities'),
      at('key-approval', `/identities/${waitingKey}/approve`),
      at('tokens', '/tokens'),
      at('new-token', '/tokens/new'),
      at('token-revocation', `/tokens/${spareToken}/revoke`),
      at('log-head', '/log/head'),
      { ...at('log', '/log'), act: verifyLog },
    ],
  };
}

async function verifyLog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Verify all entries' }).click();
  await page
    .getByText(/follow/)
    .first()
    .waitFor();
}
