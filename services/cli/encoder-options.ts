import type { Command } from 'commander';
import { TacetError } from '../../proto/errors.js';
import type { Approval } from '../institution/approval/approval.js';
import { readPolicy, trustOf } from '../institution/approval/policy.js';
import { readAudits } from '../workflows/audit/audit-files.js';
import { clientFor, readTrustedKeys, type TokenOptions, withTokenOptions } from './credentials.js';
import type { NewHomeOptions } from './home-options.js';

/** Where the encoder's home, models and word vectors are, and what makes a model acceptable. */
export interface EncoderOptions extends TokenOptions, NewHomeOptions {
  readonly embeddings: string;
  readonly policy?: string;
  readonly trust?: readonly string[];
  readonly audit?: readonly string[];
  readonly registry?: string;
}

/** The options of every command that opens models under a policy or on the word of trusted keys. */
export function withEncoderOptions(command: Command): Command {
  return withApprovalOptions(command).requiredOption(EMBEDDINGS, VECTORS);
}

export const EMBEDDINGS = '--embeddings <file>';
export const VECTORS = 'the word vectors that the bundles name, or wink';

/** The same without the word vectors. */
export function withApprovalOptions(command: Command): Command {
  return withTokenOptions(command)
    .option('--policy <file>', 'what this institution allows: keys, audit, limits')
    .option('--trust <file...>', 'public keys of publishers you trust, without a policy')
    .option('--audit <file...>', 'signed audits of the model, where the policy asks for one')
    .option('--registry <url>', 'asked whether the model was revoked, and for its audits');
}

/** Throws `usage` unless exactly one of `--policy` and `--trust` was given. */
export async function approvalOf(options: Omit<EncoderOptions, 'embeddings'>): Promise<Approval> {
  const { trust: keyFiles, registry } = options;
  if ((options.policy === undefined) === (keyFiles === undefined))
    throw new TacetError('usage', 'give --policy or --trust, one of the two');
  const policy = options.policy === undefined ? undefined : await readPolicy(options.policy);
  return {
    policy,
    trust: policy ? trustOf(policy) : { trustedKeys: await readTrustedKeys(keyFiles ?? []) },
    audits: await readAudits(options.audit ?? []),
    registry: registry === undefined ? undefined : await clientFor(registry, options),
  };
}
