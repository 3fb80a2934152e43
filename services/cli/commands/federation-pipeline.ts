import { Command } from 'commander';
import { scoreTexts } from '../../../models/bundle/stated-scores.js';
import { federatedPipeline } from '../../workflows/federation/federated-pipeline.js';
import { useBackendOf } from '../backend-option.js';
import { bundleName, bundleVersion, languageTag } from '../bundle-options.js';
import { contextOf } from '../context.js';
import { nextCommands, nextLines } from '../training-lines.js';

interface Options {
  readonly embeddings: string;
  readonly scheme: string;
  readonly heldOut?: string;
  readonly corpus?: string;
  readonly out: string;
  readonly name: string;
  readonly modelVersion: string;
  readonly language?: string;
}

/** `tacet federation pipeline`: what was trained together, as files that `tacet bundle create` signs. */
export function federationPipelineCommand(): Command {
  return new Command('pipeline')
    .description('make a pipeline, to be signed, of what a worker has when the federation is over')
    .argument('<home>', 'the --home of the worker')
    .requiredOption('--embeddings <file>', 'the word vectors that were agreed upon')
    .requiredOption('--scheme <name>', 'the label scheme that was agreed upon')
    .option('--held-out <path>', 'labelled notes that nobody trained on, for the stated scores')
    .option(
      '--corpus <path>',
      'beside --held-out: the notes of join, of which none may be held out',
    )
    .requiredOption('--out <dir>', 'for manifest.json and weights.safetensors')
    .option('--name <name>', 'name of the pipeline', bundleName, 'federated')
    .option('--model-version <version>', 'its version', bundleVersion, '1.0.0')
    .option(
      '--language <tag>',
      'language of the notes, such as es, for the model card',
      languageTag,
    )
    .action(run);
}

async function run(home: string, options: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  await useBackendOf(command);
  const { out, embeddings, modelVersion: version } = options;
  const { bundle, scores } = await federatedPipeline({ ...options, home, version }, context);
  const next = nextCommands([bundle], { out, embeddings, notes: 'notes' });
  const { manifest, weights } = bundle;
  context.result({ manifest, weights, scores, next }, [
    `made ${manifest}: a pipeline, to be signed`,
    ...Object.entries(scoreTexts(scores)).map(([score, text]) => `${score}  ${text}`),
    ...nextLines(next),
  ]);
}
