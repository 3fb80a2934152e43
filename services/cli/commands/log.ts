import { Command } from 'commander';
import { readPublicKey } from '../../../models/bundle/key-files.js';
import { keyIdOf } from '../../../proto/dsse.js';
import { TacetError } from '../../../proto/errors.js';
import { fetchLog, keyOf, readLogCopy, verifyLog, writeLogCopy } from '../../client/log-copy.js';
import { contextOf } from '../context.js';
import { clientFor, type TokenOptions, withTokenOptions } from '../credentials.js';

/** `tacet log`: keep a copy of a server's log, so that it cannot change its story. */
export function logCommand(): Command {
  const log = new Command('log').description('copies of the log of every change of a server');
  withTokenOptions(log.command('fetch'))
    .description('fetch the log, or what is new since the copy in the file, and verify it')
    .requiredOption('--server <url>', 'address of the registry or pool')
    .requiredOption('--out <file>', 'the copy; an earlier one is compared and continued')
    .action(fetch);
  log
    .command('verify <file>')
    .description('check that a copy is whole, unaltered and signed by the server')
    .option('--key <file>', "the server's public key, log-key/public.pem of its data directory")
    .action(verify);
  return log;
}

async function fetch(
  options: TokenOptions & { server: string; out: string },
  command: Command,
): Promise<void> {
  const { signal, result } = contextOf(command);
  const known = await readLogCopy(options.out);
  const copy = await fetchLog(await clientFor(options.server, options), known, { signal });
  await writeLogCopy(options.out, copy);
  const entries = copy.entries.length;
  const keyId = keyIdOf(keyOf(copy));
  const added = entries - (known?.entries.length ?? 0);
  result({ entries, added, keyId }, `${entries} entries, ${added} new, signed by key ${keyId}`);
}

async function verify(
  file: string,
  options: { readonly key?: string },
  command: Command,
): Promise<void> {
  const copy = await readLogCopy(file);
  if (!copy) throw new TacetError('file-not-found', `${file}: there is no such copy of a log`);
  const key = options.key === undefined ? keyOf(copy) : await readPublicKey(options.key);
  const { sequence, hash } = verifyLog(copy, key);
  const keyId = keyIdOf(key);
  const pinned = options.key !== undefined;
  contextOf(command).result({ sequence, hash, keyId, pinned }, [
    `${sequence} entries, head ${hash}, signed by key ${keyId}`,
    ...(pinned ? [] : ['the key is the one that the copy names; give --key to be sure of it']),
  ]);
}
