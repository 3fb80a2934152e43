import { type Command, Option } from 'commander';
import type { CatalogPlace } from '../../pool-store/catalog/open-catalog.js';
import { TacetError } from '../../proto/errors.js';
import { readTokenFile } from './credentials.js';
import { SERVE_SETTINGS, variableOf } from './serve-settings.js';

export interface CatalogOptions {
  readonly catalog?: string | undefined;
  readonly catalogPasswordFile?: string | undefined;
}

/** Lets a command find the catalog where `tacet serve` has it. */
export function withCatalogOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--catalog <url>', SERVE_SETTINGS.catalog.description).env(variableOf('catalog')),
    )
    .addOption(
      new Option(
        '--catalog-password-file <file>',
        SERVE_SETTINGS.catalogPasswordFile.description,
      ).env(variableOf('catalogPasswordFile')),
    );
}

/**
 * Undefined where the catalog lies in the data directory. Throws `config-invalid` for anything but the address
 * of a database without a password, which would stand in lists of processes.
 */
export async function catalogPlaceOf({
  catalog: url,
  catalogPasswordFile: file,
}: CatalogOptions): Promise<CatalogPlace | undefined> {
  if (url === undefined) return undefined;
  const { protocol, password, searchParams } = URL.canParse(url)
    ? new URL(url)
    : { protocol: '', password: '', searchParams: new URLSearchParams() };
  if (protocol !== 'postgres:' && protocol !== 'postgresql:')
    throw new TacetError('config-invalid', 'catalog: expected postgres://user@host:port/database');
  if (password !== '' || searchParams.has('password'))
    throw new TacetError(
      'config-invalid',
      'catalog: the address holds a password, which others could see; give catalogPasswordFile, or PGPASSWORD in the environment',
    );
  return { url, password: file === undefined ? undefined : await readTokenFile(file) };
}
