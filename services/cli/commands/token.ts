import { closeSync, fsyncSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { Command, Option } from 'commander';
import { writeFailure } from '../../../platform/system-error.js';
import {
  isToCome,
  ROLES,
  type Role,
  TOKEN_LENGTH,
  type Token,
} from '../../../pool-store/members/tokens.js';
import { Store } from '../../../pool-store/store.js';
import { requireStoreOrNothing } from '../../../pool-store/store-folder.js';
import { TacetError } from '../../../proto/errors.js';
import { type CatalogOptions, catalogPlaceOf, withCatalogOptions } from '../catalog-options.js';
import { contextOf } from '../context.js';
import { openServed } from '../store-directory.js';

interface StoreOptions extends CatalogOptions {
  readonly data: string;
}

interface CreateOptions extends StoreOptions {
  readonly role: Role;
  readonly name: string;
  readonly expires?: string;
  readonly out?: string;
}

interface RotateOptions extends StoreOptions {
  readonly out?: string;
}

const OUT = ['--out <file>', 'write the token there, readable by you alone'] as const;
/** A day of ISO 8601, or a time in a zone. */
const TIME = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** `tacet token`: bearer tokens, straight in a server's data directory, also while it runs. */
export function tokenCommand(): Command {
  const token = new Command('token').description('bearer tokens of a registry or a pool');
  data(token.command('create'))
    .description('make a token and print it, this once, or write it to a file')
    .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).makeOptionMandatory())
    .requiredOption('--name <name>', 'who holds it; of an institution, its name in the pool')
    .option('--expires <time>', 'end of its validity, e.g. 2030-01-31T00:00:00Z')
    .option(...OUT)
    .action(create);
  data(token.command('list')).description('list tokens').action(list);
  data(token.command('rotate <id>'))
    .description('give a token a new secret and print it, this once, or write it to a file')
    .option(...OUT)
    .action((id: string, { out, ...options }: RotateOptions, command: Command) =>
      withStore(options, command, (store) => give(() => store.tokens.rotate(id), {}, out, command)),
    );
  data(token.command('revoke <id>'))
    .description('end a token')
    .action((id: string, options: StoreOptions, command: Command) =>
      withStore(options, command, async (store) => {
        await store.tokens.revoke(id);
        contextOf(command).result({ revoked: id }, `revoked ${id}`);
      }),
    );
  return token;
}

async function create(
  { data, role, name, expires, out, ...place }: CreateOptions,
  command: Command,
): Promise<void> {
  if (!NAME.test(name)) {
    throw new TacetError('usage', '--name takes up to 100 letters, digits, dots, - and _');
  }
  const until = expires === undefined ? undefined : timeOf(expires);
  requireStoreOrNothing(data);
  const catalog = await catalogPlaceOf(place);
  const make = async () => {
    const store = await Store.open(data, { catalog });
    try {
      return await store.tokens.create({ role, name, ...(until && { expires: until }) });
    } finally {
      await store.close();
    }
  };
  await give(make, { role, name }, out, command);
}

/** Prints what `make` made; with `out` the secret goes there instead, for its owner's eyes alone. */
async function give(
  make: () => Promise<{ readonly id: string; readonly token: string }>,
  facts: object,
  out: string | undefined,
  command: Command,
): Promise<void> {
  const { result } = contextOf(command);
  if (out === undefined) {
    const made = await make();
    result({ ...made, ...facts }, made.token);
    return;
  }
  // Before there is a secret, which could not be had again, or a store for it.
  const file = openNew(out);
  try {
    reserve(file, out);
    const { id, token } = await make();
    write(file, token);
    result({ id, out, ...facts }, `token ${id} is in ${out}`);
  } catch (error) {
    unlinkSync(out);
    throw error;
  } finally {
    closeSync(file);
  }
}

function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    throw writeFailure(error, path);
  }
}

/** Room for a token, which is gone where there is none. */
function reserve(file: number, out: string): void {
  try {
    write(file, ' '.repeat(TOKEN_LENGTH));
  } catch (error) {
    throw writeFailure(error, out);
  }
}

/** In the place of what stood there before. */
function write(file: number, line: string): void {
  writeSync(file, `${line}\n`, 0);
  fsyncSync(file);
}

function list(options: StoreOptions, command: Command): Promise<void> {
  return withStore(options, command, async (store) => {
    const tokens = await store.tokens.list();
    contextOf(command).result(
      tokens,
      tokens.length > 0 ? tokens.map(lineOf) : 'the store holds no tokens',
    );
  });
}

function lineOf({ id, role, name, created, expires, revoked }: Token): string {
  const end = revoked ? `revoked ${revoked}` : expires ? `expires ${expires}` : 'valid';
  return `${id}  ${role.padEnd(11)}  ${name}  created ${created}  ${end}`;
}

async function withStore(
  { data: directory, ...place }: StoreOptions,
  command: Command,
  work: (store: Store) => Promise<void>,
): Promise<void> {
  const store = await openServed(directory, place, command);
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

function timeOf(text: string): string {
  const day = TIME.exec(text)?.[1];
  const time = Date.parse(text);
  const isTime = day !== undefined && !Number.isNaN(time);
  // A day that its month does not have is taken for one of the next.
  if (!isTime || !new Date(day).toISOString().startsWith(day))
    throw new TacetError(
      'usage',
      `--expires: ${text} is no time; expected one such as 2030-01-31T00:00:00Z, or a day, 2030-01-31, whose beginning in UTC it is`,
    );
  const expires = new Date(time).toISOString();
  if (isToCome(expires)) return expires;
  throw new TacetError(
    'usage',
    `--expires: ${expires} is past; give a time to come, or leave it out for a token that does not expire`,
  );
}

function data(command: Command): Command {
  return withCatalogOptions(
    command.requiredOption('--data <directory>', "the server's data directory"),
  );
}
