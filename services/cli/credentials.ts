import type { KeyObject } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { readPublicKey } from '../../models/bundle/key-files.js';
import { TacetError } from '../../proto/errors.js';
import { ServiceClient } from '../client/client.js';
import { isSameServer } from '../client/same-server.js';
import { isLoopback } from '../http/loopback.js';
import type { RegistryAccess } from '../institution/approval/registry-grounds.js';

export interface TokenOptions {
  readonly token?: string;
  readonly tokenFile?: string;
}

const OTHERS = 0o077;
const VARIABLE = 'TACET_TOKEN';

/**
 * Adds `--token-file` and `--token`; `TACET_TOKEN` serves where neither is given. Commander could read the variable, but
 * to it that is as if both were given.
 */
export function withTokenOptions(command: Command): Command {
  return command
    .option('--token-file <file>', 'file that holds the bearer token, which no other user may read')
    .addOption(
      new Option(
        '--token <token>',
        `bearer token; other users can see it while the command runs, so prefer --token-file (env: ${VARIABLE})`,
      ).conflicts('tokenFile'),
    );
}

/**
 * A client for the server at `baseUrl`, with the token that the options name, or else the environment, if any. Says on standard
 * error, before anything is sent, where that token would go through a network in clear.
 */
export async function clientFor(baseUrl: string, options: TokenOptions): Promise<ServiceClient> {
  const { tokenFile } = options;
  return clientOf(
    baseUrl,
    tokenFile === undefined ? tokenIn(options) : await readTokenFile(tokenFile),
  );
}

function clientOf(baseUrl: string, token?: string): ServiceClient {
  if (token !== undefined) warnOfPlainHttp(baseUrl);
  return new ServiceClient({ baseUrl, ...(token === undefined ? {} : { token }) });
}

/**
 * How the options reach registries: the one that they name, or that a model came from. A token that was given is for the one
 * that is named with it, and goes to no other: whoever runs that would have it.
 */
export function registryAccess(
  options: TokenOptions & { readonly registry?: string },
): RegistryAccess {
  const { registry, tokenFile } = options;
  const isGiven = tokenFile !== undefined || tokenIn(options) !== undefined;
  return {
    ...{ registry, tokenFile },
    connect: async (address, remembered) => {
      if (isGiven && registry !== undefined && isSameServer(address, registry))
        return clientFor(address, options);
      return remembered === null
        ? clientOf(address)
        : clientFor(address, { tokenFile: remembered });
    },
  };
}

function warnOfPlainHttp(baseUrl: string): void {
  if (!URL.canParse(baseUrl)) return;
  const { protocol, hostname, host } = new URL(baseUrl);
  if (protocol !== 'http:' || isLoopback(hostname)) return;
  process.stderr.write(
    `warning: http://${host} is not encrypted: who can listen on the way learns the token and may act ` +
      'with it; use https, and rotate the token if it was sent before\n',
  );
}

/** The keys in the files that `--trust` names. */
export function readTrustedKeys(files: readonly string[]): Promise<KeyObject[]> {
  return Promise.all(files.map(readPublicKey));
}

/** The one token in a file. Throws `config-invalid`, also where other users may read it. */
export async function readTokenFile(file: string): Promise<string> {
  const missing = () => {
    throw new TacetError('file-not-found', `${file}: no such token file`);
  };
  const { mode } = await stat(file).catch(missing);
  if ((mode & OTHERS) !== 0)
    throw new TacetError(
      'config-invalid',
      `${file}: other users may read this token (mode ${(mode & 0o777).toString(8)}); ` +
        'run chmod 600 on it, and rotate the token if others may have read it',
    );
  const found = (await readFile(file, 'utf8').catch(missing)).trim();
  if (!/^[\x21-\x7e]+$/.test(found))
    throw new TacetError('config-invalid', `${file}: expected one token and nothing else`);
  return found;
}

function tokenIn({ token = process.env[VARIABLE] }: TokenOptions): string | undefined {
  return token;
}
