import { Command } from 'commander';
import { readPublicKey } from '../../../models/bundle/key-files.js';
import type { Identity } from '../../../pool-store/identities.js';
import { rawPublicKey } from '../../../proto/dsse.js';
import { contextOf } from '../context.js';
import { clientFor, type TokenOptions, withTokenOptions } from '../credentials.js';

interface ServerOptions extends TokenOptions {
  readonly server: string;
}

interface RequestOptions extends ServerOptions {
  readonly key: string;
  readonly name: string;
}

/** `tacet identity`: whose signatures a registry or a pool accepts. */
export function identityCommand(): Command {
  const identity = new Command('identity').description(
    'keys that may sign at a registry or a pool',
  );
  withServer(identity.command('request'))
    .description('ask that a public key may sign; with an administrator token it may at once')
    .requiredOption('--key <file>', 'public key; the private one never leaves')
    .requiredOption('--name <name>', 'who signs with it: the name of your token')
    .action(request);
  withServer(identity.command('approve <id>'))
    .description('approve a key, as an administrator, after comparing its id by another way')
    .action(approve);
  withServer(identity.command('list')).description('list keys').action(list);
  return identity;
}

async function request(options: RequestOptions, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const server = await clientFor(options.server, options);
  const publicKey = Buffer.from(rawPublicKey(await readPublicKey(options.key))).toString('base64');
  const body = { name: options.name, publicKey };
  const identity = await server.json<Identity>('POST', '/v1/identities', body, { signal });
  result(identity, lineOf(identity));
}

async function approve(id: string, options: ServerOptions, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const server = await clientFor(options.server, options);
  const path = `/v1/identities/${encodeURIComponent(id)}/approve`;
  const identity = await server.json<Identity>('POST', path, undefined, { signal });
  result(identity, lineOf(identity));
}

async function list(options: ServerOptions, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const server = await clientFor(options.server, options);
  const identities = await server.json<Identity[]>('GET', '/v1/identities', undefined, { signal });
  result(identities, identities.length > 0 ? identities.map(lineOf) : 'no keys are known');
}

function lineOf({ keyId, name, approved }: Identity): string {
  return `${keyId}  ${name}  ${approved === null ? 'waits for approval' : `approved ${approved}`}`;
}

function withServer(command: Command): Command {
  return withTokenOptions(
    command.requiredOption('--server <url>', 'address of the registry or the pool'),
  );
}
