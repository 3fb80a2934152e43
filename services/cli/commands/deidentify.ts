import { Command, InvalidArgumentError, Option } from 'commander';
import {
  SURROGATE_LANGUAGES,
  type SurrogateLocale,
  surrogateLocaleOf,
} from '../../../models/surrogates/surrogate-language.js';
import { WRITTEN_FORMATS, type WrittenFormat } from '../../../models/text/corpus/format.js';
import {
  LAYERED_FORMATS,
  type LayeredFormat,
} from '../../../models/text/corpus/layers/read-layers.js';
import { TacetError } from '../../../proto/errors.js';
import { readyPipeline } from '../../institution/deidentify/ready-pipeline.js';
import {
  PATTERN_TYPES,
  type PatternChoice,
} from '../../institution/deidentify/recognisers/recognisers.js';
import { TREATMENTS, type Treatment } from '../../institution/deidentify/treatment.js';
import { deidentifyLayers } from '../../workflows/deidentify-layers.js';
import { deidentifyNotes } from '../../workflows/deidentify-notes.js';
import { deidentifyRecords } from '../../workflows/deidentify-records.js';
import { RECORD_FORMATS, type RecordFormat } from '../../workflows/record-files.js';
import { backendOf } from '../backend-option.js';
import { type BesideOptions, besideOf, withBesideOption } from '../beside-option.js';
import { languageTag } from '../bundle-options.js';
import { contextOf } from '../context.js';
import {
  clientFor,
  readTrustedKeys,
  registryAccess,
  type TokenOptions,
  withTokenOptions,
} from '../credentials.js';
import { parseShare } from '../share.js';

interface DeidentifyCommandOptions extends TokenOptions, BesideOptions {
  readonly model?: string;
  readonly trust?: readonly string[];
  readonly embeddings?: string;
  readonly format: WrittenFormat | RecordFormat;
  readonly policy: Treatment;
  /** BCP 47. */
  readonly language: string;
  readonly threshold?: number;
  readonly dev?: string;
  readonly recall?: number;
  readonly layers?: boolean;
  readonly resume?: boolean;
  readonly skipBad?: boolean;
  readonly registry?: string;
  readonly patterns?: PatternChoice;
}

/** `tacet deidentify`: PHI out of notes, with a published pipeline. */
export function deidentifyCommand(): Command {
  return withBesideOption(withTokenOptions(new Command('deidentify')))
    .description('take protected health information out of notes')
    .argument('<in>', 'file or directory of notes')
    .argument(
      '<out>',
      'directory to write, for jsonl and others of one file a file; nothing is overwritten',
    )
    .option(
      '--model <pipeline>',
      'pipeline bundle; the one that is ready for the language by default',
    )
    .option('--trust <file...>', 'public keys of publishers you trust, with --model')
    .option('--embeddings <file>', 'the word vectors that the bundle names, or wink, with --model')
    .addOption(
      new Option(
        '--format <format>',
        'of what is written; fhir (R4, R5; .json, .ndjson) and cda (.xml) are read in the same, and ' +
          'their other elements kept, renamed, moved or removed by rules',
      )
        .choices([...WRITTEN_FORMATS, ...RECORD_FORMATS])
        .default('text'),
    )
    .addOption(
      new Option(
        '--policy <policy>',
        'tag: [TYPE]; mask: asterisks; surrogate: something made up that reads alike; ' +
          'annotate: the text as it is, with spans, to evaluate',
      )
        .choices(TREATMENTS)
        .default('tag'),
    )
    .option(
      '--language <tag>',
      `of the notes, which has a pipeline ready; surrogates are in ${SURROGATE_LANGUAGES.join(' or ')}, ` +
        'and 03/05 is in May but in en, en-US and en-PH',
      languageTag,
      'en',
    )
    .option('--threshold <share>', 'a token is PHI from this probability on', parseShare)
    .option('--dev <input>', 'labelled notes to choose the threshold by, with --recall')
    .option('--recall <share>', 'share of PHI tokens to find in the dev notes', parseShare)
    .option('--registry <url>', 'asked whether the pipeline was revoked')
    .option(
      '--patterns <types>',
      `recognisers by shape of these types alone, by commas, of ${PATTERN_TYPES.join(', ')}`,
      patternTypes,
    )
    .option('--no-patterns', 'leave all to the model, without recognisers by shape')
    .option(
      '--layers',
      `write files of --format back under their names, with all else that they hold: ${LAYERED_FORMATS.join(', ')}`,
    )
    .option('--resume', 'go on with an output that was interrupted')
    .option('--skip-bad', 'leave out documents that cannot be read')
    .action(run);
}

async function run(
  input: string,
  output: string,
  options: DeidentifyCommandOptions,
  command: Command,
): Promise<void> {
  const context = contextOf(command);
  const { policy: treatment, registry } = options;
  const backend = backendOf(command);
  const language = surrogateLocale(options);
  const { bundle: pipeline, publishers, embeddings } = await pipelineOf(options);
  const trust = { trustedKeys: await readTrustedKeys(publishers) };
  if (options.model === undefined) context.say(`with the pipeline in ${pipeline}`);
  const client = registry === undefined ? undefined : await clientFor(registry, options);
  const { format } = options;
  const job = {
    ...options,
    ...{ input, output, treatment, language, patterns: options.patterns ?? true },
    setup: { trust, embeddings, pipeline, backend, beside: await besideOf(options) },
    grounds: { registry: client },
    access: registryAccess(options),
  };
  if (isRecordFormat(format)) {
    for (const name of ['resume', 'layers'] as const)
      if (options[name]) command.error(`error: --${name} does not go with fhir and cda`);
    const report = await deidentifyRecords({ ...job, format }, context);
    return context.result(report, [
      `files    ${report.files}`,
      `records  ${report.records}`,
      `texts    ${report.texts}`,
      `spans    ${report.spans}`,
      `output   ${report.output}`,
    ]);
  }
  if (options.layers) {
    if (!isLayeredFormat(format))
      throw new TacetError(
        'usage',
        `--layers: ${format} is not written back; expected ${LAYERED_FORMATS.join(', ')}`,
      );
    if (options.resume) throw new TacetError('usage', '--resume does not go with --layers');
    const report = await deidentifyLayers({ ...job, format }, context);
    return context.result(report, [
      `files      ${report.files}`,
      `documents  ${report.documents}`,
      `spans      ${report.spans}`,
      `removed    ${report.removed}`,
      `output     ${report.output}`,
    ]);
  }
  const report = await deidentifyNotes({ ...job, format }, context);
  context.result(report, [
    `documents  ${report.documents}`,
    `spans      ${report.spans}`,
    `output     ${report.output}`,
  ]);
}

/** The pipeline that is named with all that it takes, or the one that is ready for the language. */
async function pipelineOf({ model, trust, embeddings, language }: DeidentifyCommandOptions) {
  if (model !== undefined && trust && embeddings !== undefined)
    return { bundle: model, publishers: trust, embeddings };
  if (model !== undefined || trust || embeddings !== undefined)
    throw new TacetError(
      'usage',
      '--model, --trust and --embeddings go together; without all three the pipeline that is ready is used',
    );
  const { publisher, ...ready } = await readyPipeline(language);
  return { ...ready, publishers: [publisher] };
}

function isRecordFormat(format: string): format is RecordFormat {
  return RECORD_FORMATS.some((each) => each === format);
}

function isLayeredFormat(format: string): format is LayeredFormat {
  return LAYERED_FORMATS.some((each) => each === format);
}

/** Undefined where nothing is written in a language. */
function surrogateLocale({
  language,
  policy,
}: DeidentifyCommandOptions): SurrogateLocale | undefined {
  const known = surrogateLocaleOf(language);
  if (known || policy !== 'surrogate') return known;
  throw new TacetError(
    'usage',
    `--policy surrogate: there are none in ${language}; expected ${SURROGATE_LANGUAGES.join(' or ')}, or another policy`,
  );
}

function patternTypes(text: string): string[] {
  return text.split(',').map((each) => {
    const type = each.trim().toUpperCase();
    if (PATTERN_TYPES.includes(type)) return type;
    throw new InvalidArgumentError(`Expected some of ${PATTERN_TYPES.join(', ')}.`);
  });
}
