import { Command } from 'commander';
import { readPrivateKey } from '../../../models/bundle/key-files.js';
import { keyIdOf } from '../../../proto/dsse.js';
import { listIdentities } from '../../client/identity.js';
import {
  type AcceptedContribution,
  contribute,
  DEFAULT_TERMS,
} from '../../institution/release/contribute.js';
import { existingHome } from '../../workflows/encoder-home.js';
import { approvalError, explainingApproval, type SignedRequest } from '../approval.js';
import { type CommandContext, contextOf } from '../context.js';
import { clientFor, type TokenOptions, withTokenOptions } from '../credentials.js';
import { type HomeOptions, withHomeOption } from '../home-options.js';

interface ContributeCommandOptions extends TokenOptions, HomeOptions {
  readonly pool: string;
  readonly key: string;
  readonly institution?: string;
  readonly terms?: string;
}

/** `tacet contribute`: uploads the outbox; run it again where it was interrupted, or something was refused. */
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
      .option(
        '--terms <text>',
        `what the pool may do with it, by default as signed before, else '${DEFAULT_TERMS}'`,
      ),
  ).action(run);
}

async function run(options: ContributeCommandOptions, command: Command): Promise<void> {
  const context = contextOf(command);
  const { signal, progress } = context;
  const home = await existingHome(options);
  const privateKey = await readPrivateKey(options.key);
  const pool = await clientFor(options.pool, options);
  const signed: SignedRequest = {
    ...{ keyId: keyIdOf(privateKey), privateKeyFile: options.key, server: options.pool },
    ...{ client: pool, tokenFile: options.tokenFile },
  };
  const institution = options.institution ?? (await nameOfKey(signed, signal));
  const { terms } = options;
  const accepted: AcceptedContribution[] = [];
  const onAccepted = (contribution: AcceptedContribution) => accepted.push(contribution);
  const work = { pool, privateKey, institution, terms, signal, progress, onAccepted };
  try {
    await explainingApproval(
      () => contribute(home, work),
      async () => signed,
    );
  } catch (error) {
    if (accepted.length > 0) tell(accepted, options, context);
    throw error;
  }
  tell(accepted, options, context);
}

function tell(
  contributions: readonly AcceptedContribution[],
  { terms }: Pick<ContributeCommandOptions, 'terms'>,
  { result }: Pick<CommandContext, 'result'>,
): void {
  const lines = contributions.map(({ id, sentences, tokens, bytes, terms: given }) => {
    const isOther = terms !== undefined && terms !== given;
    const before = isOther ? `; the pool had accepted it before, with the terms '${given}'` : '';
    return `contribution ${id}: ${sentences} sentences or pieces of them, ${tokens} tokens, ${bytes} bytes${before}`;
  });
  result({ contributions }, lines.length > 0 ? lines : 'the outbox is empty');
}

/** The name that the pool knows a key by. Throws `key-untrusted` where it does not. */
async function nameOfKey(signed: SignedRequest, signal: AbortSignal): Promise<string> {
  const { client, keyId } = signed;
  const identities = await listIdentities(client, { signal });
  const identity = identities.find((candidate) => candidate.keyId === keyId);
  if (identity) return identity.name;
  throw await approvalError(signed);
}
