import type { Command } from 'commander';
import type { Trust } from '../../models/bundle/verify.js';
import { TacetError } from '../../proto/errors.js';
import type { ApprovalGrounds } from '../encoder/model-approval.js';
import { type Policy, readPolicy, trustOf } from '../encoder/policy.js';
import { readAudits } from './audit-files.js';
import { clientFor, readTrustedKeys, type TokenOptions, withTokenOptions } from './credentials.js';

/** Where the encoder's home, models and word vectors are, and what makes a model acceptable. */
export interface EncoderOptions extends TokenOptions {
  readonly home: string;
  readonly embeddings: string;
  readonly policy?: string;
  readonly trust?: readonly string[];
  readonly audit?: readonly string[];
  readonly registry?: string;
}

/** The options of every command that opens models under a policy or on the word of trusted keys. */
export function withEncoderOptions(command: Command): Command {
  return withTokenOptions(command)
    .requiredOption('--home <directory>', 'ledger and outbox of this institution; keep it')
    .requiredOption('--embeddings <file>', 'the word vectors that the bundles name, or wink')
    .option('--policy <file>', 'what this institution allows: keys, audit, limits')
    .option('--trust <file...>', 'public keys of publishers you trust, without a policy')
    .option('--audit <file...>', 'signed audits of the model, where the policy asks for one')
    .option('--registry <url>', 'asked whether the model was revoked, and for its audits');
}

/** Throws `usage` unless exactly one of `--policy` and `--trust` was given. */
export async function policyOf({ policy, trust }: EncoderOptions): Promise<Policy | undefined> {
  if ((policy === undefined) === (trust === undefined))
    throw new TacetError('usage', 'give --policy or --trust, one of the two');
  return policy === undefined ? undefined : readPolicy(policy);
}

/** Whose signatures count. */
export async function trustIn(
  { trust }: EncoderOptions,
  policy: Policy | undefined,
): Promise<Trust> {
  return policy ? trustOf(policy) : { trustedKeys: await readTrustedKeys(trust ?? []) };
}

/** What a model is approved by. */
export async function groundsOf(
  options: EncoderOptions,
  policy: Policy | undefined,
): Promise<ApprovalGrounds & { readonly audits: readonly unknown[] }> {
  const { registry, audit } = options;
  return {
    policy,
    audits: await readAudits(audit ?? []),
    registry: registry === undefined ? undefined : await clientFor(registry, options),
  };
}
