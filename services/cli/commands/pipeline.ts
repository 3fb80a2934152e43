import { Command } from 'commander';
import { peekBundle } from '../../../models/bundle/verify.js';
import { commandLine } from '../../../platform/shell-words.js';
import { openReadyPipeline, readyPipeline } from '../../institution/deidentify/ready-pipeline.js';
import { type MadePipeline, makePipeline } from '../../workflows/make-pipeline.js';
import { useBackendOf } from '../backend-option.js';
import { describeManifest } from '../bundle-description.js';
import { bundleName, bundleVersion, languageTag } from '../bundle-options.js';
import { contextOf } from '../context.js';

interface MakeOptions {
  readonly embeddings: string;
  readonly scheme: string;
  readonly config: string;
  readonly name?: string;
  readonly modelVersion: string;
  readonly out?: string;
}

/** `tacet pipeline`: de-identifiers that are used where nobody names one. */
export function pipelineCommand(): Command {
  const pipeline = new Command('pipeline').description(
    'pipelines that are ready: used where nobody names one',
  );
  pipeline
    .command('show')
    .description('show which one is ready for notes of a language')
    .argument('<language>', 'such as en', languageTag)
    .action(show);
  pipeline
    .command('make')
    .description('train one of labelled notes, sign it with a key of its own, and have it ready')
    .argument('<language>', 'of the notes, such as es', languageTag)
    .argument('<corpus>', 'labelled notes: a file or a folder')
    .requiredOption('--embeddings <file>', 'word vectors (.vec, .bin, GloVe text), or wink')
    .requiredOption('--scheme <name>', 'label scheme, by name or file')
    .option(
      '--config <file>',
      'training configuration, a file or the name of one',
      'non-private-ready',
    )
    .option('--name <name>', 'name of the pipeline; ready- and the language by default', bundleName)
    .option('--model-version <version>', 'its version', bundleVersion, '1.0.0')
    .option(
      '--out <dir>',
      "where to make it; by default the user's own folder for the language, whose pipeline alone is used unnamed",
    )
    .action(make);
  return pipeline;
}

async function show(language: string, _options: unknown, command: Command): Promise<void> {
  const ready = await readyPipeline(language);
  const { manifest } = await peekBundle(ready.bundle);
  contextOf(command).result({ ...ready, manifest }, [
    `bundle      ${ready.bundle}`,
    `signed by   ${ready.publisher}`,
    `embeddings  ${ready.embeddings}`,
    '',
    ...describeManifest(manifest),
  ]);
}

async function make(
  language: string,
  corpus: string,
  options: MakeOptions,
  command: Command,
): Promise<void> {
  const context = contextOf(command);
  const { modelVersion: version, name = `ready-${language}` } = options;
  const backend = await useBackendOf(command);
  const request = { ...options, language, corpus, version, name, backend };
  const made = await makePipeline(request, context);
  context.result(made, [
    `bundle  ${made.bundle}`,
    `digest  ${made.digest}`,
    await useOf(made, language),
  ]);
}

async function useOf({ folder, isDefault }: MadePipeline, language: string): Promise<string> {
  if (isDefault) return `tacet deidentify NOTES OUT --language ${language} uses it from now on`;
  const { bundle, publisher, embeddings } = await openReadyPipeline(folder);
  const command = commandLine(
    ...['tacet', 'deidentify', 'NOTES', 'OUT', '--language', language, '--model', bundle],
    ...['--trust', publisher, '--embeddings', embeddings],
  );
  return `it is used where it is named: ${command}`;
}
