import path from 'node:path';
import { Command } from 'commander';
import { describeBundle } from '../../../models/bundle/describe.js';
import { saveForBundle } from '../../../models/bundle/unsigned-bundle.js';
import type { Embeddings } from '../../../models/embeddings/embeddings.js';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { TRAINING_DEFAULTS, type TrainingConfig } from '../../../models/training/config.js';
import { trainPooled } from '../../../models/training/pooled.js';
import { RunDirectory, requireRun } from '../../../models/training/run-directory.js';
import {
  pooledStatement,
  stageLines,
  validationLosses,
} from '../../../models/training/statement.js';
import { pooledScores } from '../../../study/pooled-scores.js';
import { SnapshotSource } from '../../client/snapshot-source.js';
import { type EncodingModel, openEncodingModel } from '../../institution/bundles/encoding-model.js';
import { bundleName, bundleVersion } from '../../workflows/bundle-identity.js';
import type { Context } from '../../workflows/context.js';
import { withRunLock } from '../../workflows/run-lock.js';
import { readConfig } from '../../workflows/training-config.js';
import { nextCommands, nextLines, resultLines } from '../../workflows/training-result.js';
import { contextOf } from '../context.js';
import { clientFor, readTrustedKeys, type TokenOptions, withTokenOptions } from '../credentials.js';

interface Options extends TokenOptions {
  readonly pool: string;
  readonly snapshot: string;
  readonly model: string;
  readonly trust: readonly string[];
  readonly embeddings: string;
  readonly scheme?: string;
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
      .requiredOption('--out <dir>', 'run directory')
      .option('--name <name>', 'name of the pipeline', bundleName, 'pooled')
      .option('--model-version <version>', 'version of the pipeline', bundleVersion, '1.0.0')
      .option('--config <file>', 'training configuration (JSON)')
      .option('--resume', 'continue the run in --out where it stopped'),
  ).action(run);
}

async function run(options: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  const { signal, progress } = context;
  await useBackend(command.optsWithGlobals<{ backend?: string }>().backend);
  const config = await readConfig(options.config, {}, 'pooled');
  const { out, resume = false } = options;
  if (resume) await requireRun(out);
  const trustedKeys = await readTrustedKeys(options.trust);
  const embeddings = await openEmbeddings(options.embeddings, { signal, progress });
  const model = await openEncodingModel(options.model, {
    ...{ trustedKeys, embeddings },
    scheme: options.scheme,
  });
  const pool = await clientFor(options.pool, options);
  const source = await SnapshotSource.open(pool, options.snapshot, config.seed, { signal });
  source.requireModel(model);
  await withRunLock(out, () => train(source, model, { options, config, embeddings }, context));
}

interface PooledTask {
  readonly options: Options;
  readonly config: TrainingConfig;
  readonly embeddings: Embeddings;
}

async function train(
  source: SnapshotSource,
  model: EncodingModel,
  { options, config, embeddings }: PooledTask,
  { signal, progress, result }: Context,
): Promise<void> {
  const { out, name, modelVersion: version, snapshot, resume = false } = options;
  const { scheme, representation } = model;
  const record = { kind: 'pooled', snapshot, model: model.digest, ...config };
  const run = await RunDirectory.open(out, record, { resume, defaults: TRAINING_DEFAULTS });
  await source.register(name, version, record);
  const work = { random: new Random(config.seed), run, signal, progress };
  const { deidentifier, stage, validation } = await trainPooled(source, scheme, config, work);
  const scores = await pooledScores(deidentifier, validation, scheme, { signal });
  const described = describeBundle(
    { representation, deidentifier },
    {
      ...{ name, version, scheme, embeddings },
      embeddingsName: path.basename(options.embeddings),
      training: pooledStatement({
        snapshot: source.snapshot.id,
        representation: model.digest,
        language: model.language,
        sentences: source.snapshot.sentenceCount,
        seed: config.seed,
      }),
      scores: { ...scores, ...validationLosses({ pooled: stage }) },
    },
  );
  const files = await saveForBundle(out, described);
  const bundles = [{ kind: described.fields.kind, ...files }];
  const sentences = validation.reduce((sum, { examples }) => sum + examples.length, 0);
  const measuredOn = `${sentences} sentences of the snapshot, which ended the training`;
  const next = nextCommands(bundles, { out, embeddings: options.embeddings, notes: 'notes' });
  result({ out, stage, scores, ...files, next }, [
    ...stageLines({ pooled: stage }),
    ...resultLines(scores, measuredOn, bundles),
    ...nextLines(next),
  ]);
}
