import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { readPublicKey } from '../../models/bundle/key-files.js';
import { TacetError } from '../../proto/errors.js';
import { ServiceClient } from '../http/client.js';

export interface TokenOptions {
  readonly token?: string;
  readonly tokenFile?: string;
}

/** Adds `--token-file` and `--token`; `TACET_TOKEN` serves where neither is given. */
export function withTokenOptions(command: Command): Command {
  return command
    .option('--token-file <file>', 'file that holds the bearer token')
    .addOption(
      new Option(
        '--token <token>',
        'bearer token; other users can see it while the command runs, so prefer --token-file',
      )
        .env('TACET_TOKEN')
        .conflicts('tokenFile'),
    );
}

/** A client for the server at `baseUrl`, with the token that the options name, if any. */
export async function clientFor(baseUrl: string, options: TokenOptions): Promise<ServiceClient> {
  const token = await readToken(options);
  return new ServiceClient({ baseUrl, ...(token === undefined ? {} : { token }) });
}

/** The keys in the files that `--trust` names. */
export function readTrustedKeys(files: readonly string[]): Promise<KeyObject[]> {
  return Promise.all(files.map(readPublicKey));
}

async function readToken({ token, tokenFile }: TokenOptions): Promise<string | undefined> {
  if (tokenFile === undefined) return token;
  const text = await readFile(tokenFile, 'utf8').catch(() => {
    throw new TacetError('file-not-found', `${tokenFile}: no such token file`);
  });
  const found = text.trim();
  if (!/^[\x21-\x7e]+$/.test(found))
    throw new TacetError('config-invalid', `${tokenFile}: expected one token and nothing else`);
  return found;
}
