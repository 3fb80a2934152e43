import { Command } from 'commander';
import { TacetError } from '../../../proto/errors.js';
import { readPolicy, trustOf } from '../../encoder/policy.js';
import { type Check, preflight } from '../../encoder/preflight.js';
import { readAudits } from '../audit-files.js';
import { contextOf } from '../context.js';
import { clientFor, readTrustedKeys, type TokenOptions, withTokenOptions } from '../credentials.js';

interface PreflightCommandOptions extends TokenOptions {
  readonly model: string;
  readonly policy?: string;
  readonly trust?: readonly string[];
  readonly audit?: readonly string[];
  readonly embeddings: string;
  readonly home: string;
  readonly registry?: string;
  readonly pool?: string;
}

/** `tacet preflight`: whether a job would go through, before there is one. */
export function preflightCommand(): Command {
  return withTokenOptions(
    new Command('preflight')
      .description('check all that encoding and contributing need')
      .requiredOption('--model <bundle>', 'representation bundle')
      .option('--policy <file>', 'what this institution allows')
      .option('--trust <file...>', 'public keys of publishers you trust, without a policy')
      .option('--audit <file...>', 'signed audits of the model')
      .requiredOption('--embeddings <file>', 'the word vectors that the bundle names, or wink')
      .requiredOption('--home <directory>', 'ledger and outbox of this institution')
      .option('--registry <url>', 'address of the registry')
      .option('--pool <url>', 'address of the pool'),
  ).action(run);
}

async function run(options: PreflightCommandOptions, command: Command): Promise<void> {
  const { signal, progress, result } = contextOf(command);
  const { model, embeddings, home, registry, pool } = options;
  const policy = options.policy === undefined ? undefined : await readPolicy(options.policy);
  if (!policy && !options.trust) throw new TacetError('usage', 'give --policy, or --trust');
  const checks = await preflight({
    model,
    embeddings,
    home,
    policy,
    trust: policy ? trustOf(policy) : { trustedKeys: await readTrustedKeys(options.trust ?? []) },
    audits: await readAudits(options.audit ?? []),
    registry: registry === undefined ? undefined : await clientFor(registry, options),
    pool: pool === undefined ? undefined : { url: pool, client: await clientFor(pool, options) },
    signal,
    progress,
  });
  result({ ready: checks.every(({ passed }) => passed !== false), checks }, checks.map(describe));
  const failed = checks.filter(({ passed }) => passed === false);
  if (failed.length > 0)
    throw new TacetError('not-ready', `not ready: ${failed.map(({ name }) => name).join(', ')}`);
}

function describe({ name, passed, finding, advice }: Check): string {
  const mark = passed === null ? '-' : passed ? 'ok' : 'FAILED';
  return `${mark.padEnd(7)} ${name}: ${finding}${advice === '' ? '' : `\n        to do: ${advice}`}`;
}
