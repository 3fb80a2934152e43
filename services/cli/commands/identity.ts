import { Command } from 'commander';
import { readPublicKey } from '../../../models/bundle/key-files.js';
import {
  approveIdentity,
  listIdentities,
  requestIdentity,
  revokeIdentity,
} from '../../client/identity.js';
import { approvalCommand } from '../approval.js';
import { contextOf } from '../context.js';
import { clientFor, type TokenOptions, withTokenOptions } from '../credentials.js';

interface ServerOptions extends TokenOptions {
  readonly server: string;
}

/** `tacet identity`: whose signatures a registry or a pool accepts. */
export function identityCommand(): Command {
  const command = new Command('identity').description('keys that a registry or a pool accepts');
  onServer(command.command('request'))
    .description('ask that a key may sign in your name; the private key stays with you')
    .option('--name <name>', 'whose key it is, by default the name of your token')
    .requiredOption('--key <file>', 'your public key')
    .action(async (options: ServerOptions & { name?: string; key: string }, self: Command) => {
      const client = await clientFor(options.server, options);
      const publicKey = await readPublicKey(options.key);
      const { keyId, name, approved } = await requestIdentity(client, options.name, publicKey);
      contextOf(self).result(
        { keyId, approved },
        approved === null
          ? [
              `requested ${keyId}; an administrator approves it with`,
              approvalCommand(keyId, options.server),
            ]
          : `${keyId} is approved for ${name} already, since ${approved}`,
      );
    });
  onServer(command.command('approve <key-id>'))
    .description('approve a key, after checking with its holder that it is theirs')
    .action(async (keyId: string, options: ServerOptions, self: Command) => {
      const client = await clientFor(options.server, options);
      const identity = await approveIdentity(client, keyId);
      contextOf(self).result(identity, `approved ${keyId} for ${identity.name}`);
    });
  onServer(command.command('revoke <key-id>'))
    .description(
      'end the trust in a key for good, or refuse one that waits; what it signed before stays',
    )
    .action(async (keyId: string, options: ServerOptions, self: Command) => {
      const client = await clientFor(options.server, options);
      const identity = await revokeIdentity(client, keyId);
      const verb = identity.revoked === null ? 'refused' : 'revoked';
      contextOf(self).result(identity, `${verb} ${keyId} of ${identity.name}`);
    });
  onServer(command.command('list'))
    .description('list the keys that were asked for, approved and revoked')
    .action(async (options: ServerOptions, self: Command) => {
      const client = await clientFor(options.server, options);
      const identities = await listIdentities(client);
      const lines = identities.map(
        ({ keyId, name, approved, revoked }) =>
          `${keyId}  ${name}  ${revoked ? `revoked ${revoked}` : (approved ?? 'not approved')}`,
      );
      contextOf(self).result(
        identities,
        lines.length > 0 ? lines : 'no key was asked for at the server',
      );
    });
  return command;
}

function onServer(command: Command): Command {
  return withTokenOptions(command.requiredOption('--server <url>', 'the registry or the pool'));
}
