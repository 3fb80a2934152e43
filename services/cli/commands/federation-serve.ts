import { once } from 'node:events';
import { Command, Option } from 'commander';
import { Store } from '../../../pool-store/store.js';
import { Coordinator } from '../../federation/coordinator.js';
import { createCoordinator } from '../../federation/coordinator-app.js';
import { FederationFolder } from '../../federation/coordinator-state.js';
import { listen } from '../../http/server.js';
import { contextOf } from '../context.js';
import { type LimitOptions, limitsOf, withLimitOptions } from '../limit-options.js';
import { LOG_LEVELS, openLog } from '../server-log.js';
import { readTls } from '../tls-files.js';
import { wholeNumber } from '../whole-number.js';

interface Options extends LimitOptions {
  readonly data: string;
  readonly host: string;
  readonly port: number;
  readonly tlsCertificate?: string;
  readonly tlsKey?: string;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** `tacet federation serve`: the coordinator, until a signal. */
export function federationServeCommand(): Command {
  const command = new Command('serve')
    .description('run the coordinator of a federation')
    .requiredOption('--data <dir>', 'where federation create wrote its plan')
    .option('--host <address>', 'address to bind', '127.0.0.1')
    .option('--port <n>', 'port, 0 for any', wholeNumber(0, 65_535), 7430)
    .option('--tls-certificate <file>', 'file of the certificate chain (PEM), for https')
    .option('--tls-key <file>', 'file of its private key (PEM)')
    .addOption(
      new Option('--log-level <name>', 'least level of the log on standard error')
        .choices(LOG_LEVELS)
        .default('info'),
    );
  return withLimitOptions(command).action(run);
}

async function run(options: Options, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const { data, host, port, logLevel } = options;
  const tls = await readTls(options);
  const folder = new FederationFolder(data);
  // Before a directory is made where there was none.
  await folder.plan();
  const store = await Store.open(data, { serve: true });
  try {
    const coordinator = await Coordinator.open(store, folder);
    const logger = openLog(logLevel);
    const limits = limitsOf(options);
    const app = createCoordinator({ store, coordinator, logger, limits });
    const server = await listen(app, { host, port, tls, limits });
    try {
      result({ coordinator: server.url }, `coordinator ${server.url}`);
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      await server.close();
    }
  } finally {
    await store.close();
  }
}
