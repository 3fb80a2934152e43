import { Command } from 'commander';
import { scoreTexts } from '../../../models/bundle/stated-scores.js';
import type { TrainingJob } from '../../../pool-store/training/training-job.js';
import { PATHS, pathTo } from '../../../proto/paths.js';
import { readConfig } from '../../workflows/train/training-config.js';
import { bundleName, bundleVersion } from '../bundle-options.js';
import { contextOf } from '../context.js';
import { clientFor, type TokenOptions, withTokenOptions } from '../credentials.js';

interface PoolOptions extends TokenOptions {
  readonly pool: string;
}

interface CreateOptions extends PoolOptions {
  readonly snapshot: string;
  readonly name: string;
  readonly modelVersion: string;
  readonly scheme?: string;
  readonly config?: string;
}

/** `tacet job`: trainings that workers of a pool do. */
export function jobCommand(): Command {
  const job = new Command('job').description('ask for trainings on snapshots, which workers do');
  withPool(job.command('create'))
    .description('ask for a training of the de-identifier on a snapshot, as train pooled does it')
    .requiredOption('--snapshot <id>', 'which snapshot to train on')
    .option('--scheme <name>', "label scheme that comes with Tacet; the bundle's own by default")
    .option('--name <name>', 'name of the pipeline', bundleName, 'pooled')
    .option('--model-version <version>', 'version of the pipeline', bundleVersion, '1.0.0')
    .option('--config <file>', 'training configuration (JSON)')
    .action(create);
  withPool(job.command('list')).description('list training jobs').action(list);
  withPool(job.command('show <id>'))
    .description('how far a training job is, and what came of it')
    .action(show);
  withPool(job.command('cancel <id>'))
    .description('cancel a training job; who works on it stops when it next speaks to the pool')
    .action(cancel);
  return job;
}

async function create(options: CreateOptions, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const { snapshot, name, modelVersion: version, scheme } = options;
  const config = await readConfig(options.config, {}, 'pooled');
  const pool = await clientFor(options.pool, options);
  const asked = { snapshot, name, version, scheme, config };
  const job = await pool.json<TrainingJob>('POST', PATHS.trainingJobs, asked, { signal });
  result(job, lineOf(job));
}

async function list(options: PoolOptions, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const pool = await clientFor(options.pool, options);
  const jobs = await pool.list<TrainingJob>(PATHS.trainingJobs, { signal });
  result(jobs, jobs.length > 0 ? jobs.map(lineOf) : 'the pool has no training jobs');
}

async function show(id: string, options: PoolOptions, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const pool = await clientFor(options.pool, options);
  const path = pathTo(PATHS.trainingJob, { id });
  const job = await pool.json<TrainingJob>('GET', path, undefined, { signal });
  const { model, asker, created, begun, ended } = job;
  result(job, [
    lineOf(job),
    `of representation ${model}, asked for by ${asker}, ${created}`,
    ...(begun === null ? [] : [`begun ${begun}${ended === null ? '' : `, ended ${ended}`}`]),
    ...resultLines(job),
  ]);
}

async function cancel(id: string, options: PoolOptions, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const pool = await clientFor(options.pool, options);
  const path = pathTo(PATHS.trainingJob, { id });
  const job = await pool.json<TrainingJob>('DELETE', path, undefined, { signal });
  result(job, lineOf(job));
}

function lineOf(job: TrainingJob): string {
  const { id, state, name, version, snapshot } = job;
  return `${id}  ${state}${stateText(job)}  ${name} ${version} on ${snapshot}`;
}

function stateText({ state, worker, leaseEnds, checkpoints, failure }: TrainingJob): string {
  const [newest] = checkpoints;
  const epoch = newest ? `, epoch ${newest.epoch} is kept` : '';
  if (state === 'running') return ` by ${worker} until ${leaseEnds} at least${epoch}`;
  if (state === 'failed') return `: ${failure}`;
  return epoch;
}

function resultLines({ result }: TrainingJob): string[] {
  if (!result) return [];
  const { epochs, bestEpoch, weights, scores, published } = result;
  return [
    `best of ${epochs} epochs is ${bestEpoch}; weights ${weights}`,
    ...Object.entries(scoreTexts(scores)).map(([score, text]) => `  ${score}  ${text}`),
    published
      ? `published ${published.name} ${published.version}, digest ${published.digest}`
      : 'not published: its worker has it',
  ];
}

function withPool(command: Command): Command {
  return withTokenOptions(command.requiredOption('--pool <url>', 'address of the pool'));
}
