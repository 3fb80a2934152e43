import { pino } from 'pino';
import { type Servers, type ServersOptions, startServers } from '../../services/cli/servers.js';
import { catalogFor } from '../pool-store/opened-store.js';
import { endAfterTests } from './left-over.js';
import type { World } from './made-world.js';

export {
  contributionOf,
  createWorld,
  type ManifestChanges,
  segmentOf,
  sha256,
  type World,
} from './made-world.js';

/** Registry and pool over a store, on free ports, which write no log unless they are given one. */
export async function serve(
  { data }: Pick<World, 'data'>,
  options: Partial<ServersOptions> = {},
): Promise<Servers> {
  const logger = pino({ level: 'silent' });
  const servers = await startServers({
    data,
    host: '127.0.0.1',
    registryPort: 0,
    poolPort: 0,
    logger,
    catalog: await catalogFor(data),
    ...options,
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= servers.close();
    return closing;
  };
  endAfterTests(close);
  return { ...servers, close };
}
