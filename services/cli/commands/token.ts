import { Command, Option } from 'commander';
import { Store } from '../../../pool-store/store.js';
import { ROLES, type Role, type Token } from '../../../pool-store/tokens.js';
import { TacetError } from '../../../proto/errors.js';
import { contextOf } from '../context.js';
import { requireStore } from '../store-directory.js';

interface CreateOptions {
  readonly data: string;
  readonly role: Role;
  readonly name: string;
  readonly expires?: string;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** `tacet token`: bearer tokens, straight in a server's data directory, also while it runs. */
export function tokenCommand(): Command {
  const token = new Command('token').description('bearer tokens of a registry or a pool');
  data(token.command('create'))
    .description('make a token and print it, this once')
    .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).makeOptionMandatory())
    .requiredOption('--name <name>', 'who holds it; of an institution, its name in the pool')
    .option('--expires <time>', 'end of its validity, e.g. 2030-01-31T00:00:00Z')
    .action(create);
  data(token.command('list')).description('list tokens').action(list);
  data(token.command('rotate <id>'))
    .description('give a token a new secret and print it, this once')
    .action((id: string, options: { data: string }, command: Command) =>
      withStore(options.data, (store) => {
        const rotated = store.tokens.rotate(id);
        contextOf(command).result(rotated, rotated.token);
      }),
    );
  data(token.command('revoke <id>'))
    .description('end a token')
    .action((id: string, options: { data: string }, command: Command) =>
      withStore(options.data, (store) => {
        store.tokens.revoke(id);
        contextOf(command).result({ revoked: id }, `revoked ${id}`);
      }),
    );
  return token;
}

function create({ data, role, name, expires }: CreateOptions, command: Command): void {
  if (!NAME.test(name)) {
    throw new TacetError('usage', '--name takes up to 100 letters, digits, dots, - and _');
  }
  const until = expires === undefined ? undefined : timeOf(expires);
  const store = new Store(data);
  try {
    const created = store.tokens.create({ role, name, ...(until && { expires: until }) });
    contextOf(command).result({ ...created, role, name }, created.token);
  } finally {
    store.close();
  }
}

function list(options: { data: string }, command: Command): void {
  withStore(options.data, (store) => {
    const tokens = store.tokens.list();
    contextOf(command).result(tokens, tokens.map(lineOf));
  });
}

function lineOf({ id, role, name, created, expires, revoked }: Token): string {
  const end = revoked ? `revoked ${revoked}` : expires ? `expires ${expires}` : 'valid';
  return `${id}  ${role.padEnd(11)}  ${name}  created ${created}  ${end}`;
}

function withStore(directory: string, work: (store: Store) => void): void {
  requireStore(directory);
  const store = new Store(directory);
  try {
    work(store);
  } finally {
    store.close();
  }
}

function timeOf(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new TacetError('usage', `--expires: not a time: ${text}`);
  return time.toISOString();
}

function data(command: Command): Command {
  return command.requiredOption('--data <directory>', "the server's data directory");
}
