import { Command } from 'commander';
import { PATHS, pathTo } from '../../../proto/paths.js';
import { contextOf } from '../context.js';
import { clientFor, type TokenOptions, withTokenOptions } from '../credentials.js';

/** `tacet withdraw`: the pool erases a contribution's bytes. */
export function withdrawCommand(): Command {
  return withTokenOptions(
    new Command('withdraw')
      .description('have a pool erase a contribution')
      .argument('<id>', 'as contribute printed it')
      .requiredOption('--pool <url>', 'address of the pool'),
  ).action(async (id: string, options: TokenOptions & { pool: string }, command: Command) => {
    const { signal, result } = contextOf(command);
    const pool = await clientFor(options.pool, options);
    await pool.json('DELETE', pathTo(PATHS.contribution, { id }), undefined, { signal });
    result({ withdrawn: id }, `withdrawn: ${id}`);
  });
}
