import { Command } from 'commander';
import { defaultHome } from '../../../platform/user-folders.js';
import { TacetError } from '../../../proto/errors.js';
import type { Check } from '../../institution/approval/preflight/checklist.js';
import { preflight } from '../../institution/approval/preflight/preflight.js';
import { type EntityTerms, treatmentOf } from '../../workflows/entity-terms.js';
import { backendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { clientFor, registryAccess } from '../credentials.js';
import { approvalOf, type EncoderOptions, withEncoderOptions } from '../encoder-options.js';
import { withTreatmentOptions } from '../entity-options.js';
import { withNewHomeOption } from '../home-options.js';

interface PreflightCommandOptions extends EncoderOptions, EntityTerms {
  readonly model: string;
  readonly pool?: string;
  readonly notes?: string;
  readonly trial?: boolean;
}

/** `tacet preflight`: whether a job would go through, before there is one. */
export function preflightCommand(): Command {
  const command = new Command('preflight')
    .description('check all that encoding and contributing need')
    .requiredOption('--model <bundle>', 'representation bundle');
  return withTreatmentOptions(withEncoderOptions(withNewHomeOption(command)))
    .option('--pool <url>', 'address of the pool')
    .option('--notes <path>', 'labelled notes: how well the model fits them')
    .option('--trial', 'train on these notes and on releases of them, and compare (minutes)')
    .action(run);
}

async function run(options: PreflightCommandOptions, command: Command): Promise<void> {
  const { signal, progress, result } = contextOf(command);
  const { model, embeddings, home, newHome, pool, notes, trial } = options;
  if (trial && notes === undefined)
    throw new TacetError('usage', '--trial: name the notes to try with --notes');
  if (home !== undefined && newHome !== undefined)
    throw new TacetError('usage', 'give --home or --new-home, one of the two');
  const approval = await approvalOf(options);
  const checks = await preflight({
    ...{ model, embeddings, notes, trial },
    home: home ?? newHome ?? defaultHome(),
    mayMakeHome: home === undefined,
    isNewHome: newHome !== undefined,
    ...approval,
    ...(await treatmentOf(options, approval.policy)),
    access: registryAccess(options),
    pool: pool === undefined ? undefined : { url: pool, client: await clientFor(pool, options) },
    backend: backendOf(command),
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
