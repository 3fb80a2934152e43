import path from 'node:path';
import { Command } from 'commander';
import { describeBundle } from '../../../models/bundle/describe.js';
import { saveForBundle } from '../../../models/bundle/unsigned-bundle.js';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { TRAINING_DEFAULTS } from '../../../models/training/config.js';
import { trainPooled } from '../../../models/training/pooled.js';
import { RunDirectory } from '../../../models/training/run-directory.js';
import { stageLines, validationLosses } from '../../../models/training/statement.js';
import { openEncodingModel } from '../../encoder/encoding-model.js';
import { bundleName, bundleVersion } from '../bundle-identity.js';
import { contextOf } from '../context.js';
import { clientFor, readTrustedKeys, type TokenOptions, withTokenOptions } from '../credentials.js';
import { SnapshotSource } from '../snapshot-source.js';
import { readConfig } from '../training-config.js';

interface Options extends TokenOptions {
  readonly pool: string;
  readonly snapshot: string;
  readonly model: string;
  readonly trust: readonly string[];
  readonly embeddings: string;
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
      .requiredOption('--out <dir>', 'run directory')
      .option('--name <name>', 'name of the pipeline', bundleName, 'pooled')
      .option('--model-version <version>', 'version of the pipeline', bundleVersion, '1.0.0')
      .option('--config <file>', 'training configuration (JSON)')
      .option('--resume', 'continue the run in --out where it stopped'),
  ).action(run);
}

async function run(options: Options, command: Command): Promise<void> {
  const { signal, progress, result } = contextOf(command);
  await useBackend(command.optsWithGlobals<{ backend?: string }>().backend);
  const config = await readConfig(options.config, {}, 'pooled');
  const trustedKeys = await readTrustedKeys(options.trust);
  const embeddings = await openEmbeddings(options.embeddings, { signal, progress });
  const model = await openEncodingModel(options.model, { trustedKeys, embeddings });
  const pool = await clientFor(options.pool, options);
  const source = await SnapshotSource.open(pool, options.snapshot, config.seed, { signal });
  source.requireModel(model);
  const record = { kind: 'pooled', snapshot: options.snapshot, model: model.digest, ...config };
  const run = await RunDirectory.open(options.out, record, {
    resume: options.resume ?? false,
    defaults: TRAINING_DEFAULTS,
  });
  await source.register(options.name, options.modelVersion, record);
  const context = { random: new Random(config.seed), run, signal, progress };
  const { deidentifier, stage } = await trainPooled(source, model.scheme, config, context);
  const described = describeBundle(
    { representation: model.representation, deidentifier },
    {
      name: options.name,
      version: options.modelVersion,
      scheme: model.scheme,
      embeddings,
      embeddingsName: path.basename(options.embeddings),
      training: {
        objective: 'pooled',
        snapshot: source.snapshot.id,
        representation: model.digest,
        sentences: source.snapshot.sentenceCount,
        seed: config.seed,
      },
      scores: validationLosses({ pooled: stage }),
    },
  );
  const files = await saveForBundle(options.out, described);
  result({ out: options.out, stage, ...files }, [
    ...stageLines({ pooled: stage }),
    `to sign it: tacet bundle create DIR --manifest ${files.manifest} --weights ${files.weights} --key PRIVATE.pem`,
  ]);
}
