import { Command } from 'commander';
import { requireRun } from '../../../models/training/run/run-directory.js';
import { trainPooledRun } from '../../workflows/train/pooled-run.js';
import { readConfig } from '../../workflows/train/training-config.js';
import { useBackendOf } from '../backend-option.js';
import { bundleName, bundleVersion } from '../bundle-options.js';
import { contextOf } from '../context.js';
import { clientFor, readTrustedKeys, type TokenOptions, withTokenOptions } from '../credentials.js';
import { nextCommands, nextLines, pooledLines } from '../training-lines.js';

interface Options extends TokenOptions {
  readonly pool: string;
  readonly snapshot: string;
  readonly model: string;
  readonly trust: readonly string[];
  readonly embeddings: string;
  readonly scheme?: string;
  readonly own?: readonly string[];
  readonly learnedFrom?: readonly string[];
  readonly name: string;
  readonly modelVersion: string;
  readonly out: string;
  readonly config?: string;
  readonly resume?: boolean;
}

/** `tacet train pooled`: a de-identifier on the vectors of a snapshot, read over HTTP. */
export function trainPooledCommand(): Command {
  return withTokenOptions(
    new Command('pooled')
      .description('the de-identifier on what institutions contributed to a pool')
      .requiredOption('--pool <url>', 'address of the pool')
      .requiredOption('--snapshot <id>', 'which snapshot to train on')
      .requiredOption('--model <dir>', 'the representation bundle that encoded it')
      .requiredOption('--trust <file...>', 'public keys of publishers you trust')
      .requiredOption('--embeddings <file>', 'the word vectors that the bundle names')
      .option('--scheme <name>', "label scheme, by name or file; the bundle's own by default")
      .option(
        '--own <notes...>',
        'labelled notes, and public ones, whose words to read beside it; what is trained stays here',
      )
      .option(
        '--learned-from <notes...>',
        "the same of notes that the representation learned from, such as its provider's",
      )
      .requiredOption('--out <dir>', 'run directory')
      .option('--name <name>', 'name of the pipeline', bundleName, 'pooled')
      .option('--model-version <version>', 'version of the pipeline', bundleVersion, '1.0.0')
      .option('--config <file>', 'training configuration (JSON)')
      .option('--resume', 'continue the run in --out where it stopped'),
  ).action(run);
}

async function run(options: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  await useBackendOf(command);
  const config = await readConfig(options.config, {}, 'pooled');
  const { out, modelVersion: version, resume = false } = options;
  // A run's absence is told before that of a token.
  if (resume) await requireRun(out);
  const task = {
    ...options,
    ...{ version, resume, config, directory: out },
    trust: { trustedKeys: await readTrustedKeys(options.trust) },
    pool: await clientFor(options.pool, options),
  };
  const report = await trainPooledRun(task, context);
  const { stage, scores, bundle } = report;
  const { manifest, weights } = bundle;
  const next = nextCommands([bundle], { out, embeddings: options.embeddings, notes: 'notes' });
  const lines = [...pooledLines(report), ...nextLines(next)];
  context.result({ out, stage, scores, manifest, weights, next }, lines);
}
