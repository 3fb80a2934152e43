import { Command } from 'commander';
import { readPrivateKey } from '../../../models/bundle/key-files.js';
import { keyIdOf } from '../../../proto/dsse.js';
import { listIdentities } from '../../client/identity.js';
import { contribute } from '../../institution/release/contribute.js';
import { existingHome } from '../../workflows/encoder-home.js';
import { approvalError, explainingApproval, type SignedRequest } from '../approval.js';
import { contextOf } from '../context.js';
import { clientFor, type TokenOptions, withTokenOptions } from '../credentials.js';
import { type HomeOptions, withHomeOption } from '../home-options.js';

interface ContributeCommandOptions extends TokenOptions, HomeOptions {
  readonly pool: string;
  readonly key: string;
  readonly institution?: string;
  readonly terms: string;
}

/** `tacet contribute`: uploads the outbox; run it again where it was interrupted. */
export function contributeCommand(): Command {
  const command = new Command('contribute').description(
    'upload what encode prepared, signed, to a pool',
  );
  return withTokenOptions(
    withHomeOption(command)
      .requiredOption('--pool <url>', 'address of the pool')
      .requiredOption('--key <file>', 'private key of this institution')
      .option(
        '--institution <name>',
        "this institution's name at the pool, by default that of the key",
      )
      .option('--terms <text>', 'what the pool may do with it', 'research on de-identification'),
  ).action(run);
}

async function run(options: ContributeCommandOptions, command: Command): Promise<void> {
  const { signal, progress, result } = contextOf(command);
  const home = await existingHome(options);
  const privateKey = await readPrivateKey(options.key);
  const pool = await clientFor(options.pool, options);
  const signed: SignedRequest = {
    ...{ keyId: keyIdOf(privateKey), privateKeyFile: options.key, server: options.pool },
    ...{ client: pool, tokenFile: options.tokenFile },
  };
  const institution = options.institution ?? (await nameOfKey(signed, signal));
  const accepted = await explainingApproval(
    () =>
      contribute(home, {
        pool,
        privateKey,
        institution,
        terms: options.terms,
        signal,
        progress,
      }),
    async () => signed,
  );
  const lines = accepted.map(
    ({ id, sentences, tokens, bytes }) =>
      `contribution ${id}: ${sentences} sentences, ${tokens} tokens, ${bytes} bytes`,
  );
  result({ contributions: accepted }, lines.length > 0 ? lines : 'the outbox is empty');
}

/** The name that the pool knows a key by. Throws `key-untrusted` where it does not. */
async function nameOfKey(signed: SignedRequest, signal: AbortSignal): Promise<string> {
  const { client, keyId } = signed;
  const identities = await listIdentities(client, { signal });
  const identity = identities.find((candidate) => candidate.keyId === keyId);
  if (identity) return identity.name;
  throw await approvalError(signed);
}
