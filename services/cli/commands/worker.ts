import { Command } from 'commander';
import { readPrivateKey } from '../../../models/bundle/key-files.js';
import { TacetError } from '../../../proto/errors.js';
import type { Publishing } from '../../workflows/train/job-training.js';
import { workOnJobs } from '../../workflows/train/training-worker.js';
import { useBackendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { clientFor, readTrustedKeys, type TokenOptions, withTokenOptions } from '../credentials.js';
import { wholeNumber } from '../whole-number.js';

interface Options extends TokenOptions {
  readonly pool: string;
  readonly model: readonly string[];
  readonly trust: readonly string[];
  readonly embeddings: string;
  readonly out: string;
  readonly registry?: string;
  readonly registryTokenFile?: string;
  readonly key?: readonly string[];
  readonly publishAs?: readonly string[];
  readonly poll: number;
  readonly untilIdle?: boolean;
}

/** `tacet worker`: trains what is asked of a pool, until a signal. */
export function workerCommand(): Command {
  return withTokenOptions(
    new Command('worker')
      .description(
        'train the jobs of a pool, one after another; a signal lets go of the one at hand',
      )
      .requiredOption('--pool <url>', 'address of the pool')
      .requiredOption('--model <dir...>', 'representation bundles whose snapshots it can train on')
      .requiredOption('--trust <file...>', 'public keys of publishers you trust')
      .requiredOption('--embeddings <file>', 'the word vectors that the bundles name')
      .requiredOption('--out <dir>', 'a folder of this worker, where runs lie while they train')
      .option('--registry <url>', 'registry that what was trained is published in')
      .option(
        '--registry-token-file <file>',
        "file of a provider's token there, which no other user may read; by default the pool's token is taken",
      )
      .option('--key <file...>', 'private keys that sign what is published')
      .option(
        '--publish-as <name...>',
        'names that it publishes under, whoever asks; a job of another name fails',
      )
      .option('--poll <seconds>', 'between two questions for a job', wholeNumber(1, 3600), 5)
      .option('--until-idle', 'end where there is no job, instead of waiting for one'),
  ).action(run);
}

async function run(options: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  const { signal, result, say } = context;
  await useBackendOf(command);
  const { pool, model: models, embeddings, out: directory, poll, untilIdle = false } = options;
  const worker = {
    ...{ models, embeddings, directory, untilIdle, pollMs: poll * 1000 },
    pool: await clientFor(pool, options),
    trust: { trustedKeys: await readTrustedKeys(options.trust) },
    publishing: await publishingOf(options),
  };
  const worked = await workOnJobs(worker, context);
  const last = worked.at(-1);
  if (signal.aborted)
    say(last?.end === 'released' ? `let go of job ${last.id}` : 'stopped with no job at hand');
  const done = worked.filter(({ end }) => end === 'done').length;
  result(worked, `${done} of ${worked.length} jobs done`);
}

async function publishingOf(options: Options): Promise<Publishing | undefined> {
  const { registry, registryTokenFile, key, publishAs: names } = options;
  if ([registry, registryTokenFile, key, names].every((each) => each === undefined))
    return undefined;
  if (registry === undefined || key === undefined || names === undefined)
    throw new TacetError('usage', 'to publish, --registry, --key and --publish-as are needed, all');
  const token = registryTokenFile === undefined ? options : { tokenFile: registryTokenFile };
  return {
    registry: await clientFor(registry, token),
    keys: await Promise.all(key.map(readPrivateKey)),
    names,
  };
}
