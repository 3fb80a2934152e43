import path from 'node:path';
import { Command, Option } from 'commander';
import type { SurrogateLanguage } from '../../../models/surrogates/surrogates.js';
import { WRITTEN_FORMATS, type WrittenFormat } from '../../../models/text/corpus/format.js';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { TacetError } from '../../../proto/errors.js';
import { ModelThread } from '../../encoder/model-thread.js';
import {
  type DeidentifyOptions,
  POLICIES,
  type Policy,
} from '../../institution/deidentify/deidentify.js';
import { ResumableOutput } from '../../institution/deidentify/resumable-output.js';
import type { Context } from '../../workflows/context.js';
import { contextOf } from '../context.js';
import { clientFor, readTrustedKeys, type TokenOptions, withTokenOptions } from '../credentials.js';
import { approve } from '../model-registry.js';
import { share } from '../share.js';

interface DeidentifyCommandOptions extends TokenOptions {
  readonly model: string;
  readonly trust: readonly string[];
  readonly embeddings: string;
  readonly format: WrittenFormat;
  readonly policy: Policy;
  readonly language: SurrogateLanguage;
  readonly threshold?: number;
  readonly dev?: string;
  readonly recall?: number;
  readonly resume?: boolean;
  readonly skipBad?: boolean;
  readonly registry?: string;
  readonly patterns: boolean;
}

/** `tacet deidentify`: PHI out of notes, with a published pipeline. */
export function deidentifyCommand(): Command {
  return withTokenOptions(new Command('deidentify'))
    .description('take protected health information out of notes')
    .argument('<in>', 'file or directory of notes')
    .argument('<out>', 'directory to write, for jsonl a file; nothing is overwritten')
    .requiredOption('--model <pipeline>', 'pipeline bundle')
    .requiredOption('--trust <file...>', 'public keys of publishers you trust')
    .requiredOption('--embeddings <file>', 'the word vectors that the bundle names, or wink')
    .addOption(
      new Option('--format <format>', 'of what is written')
        .choices(WRITTEN_FORMATS)
        .default('text'),
    )
    .addOption(
      new Option(
        '--policy <policy>',
        'tag: [TYPE]; mask: asterisks; surrogate: something made up that reads alike; ' +
          'annotate: the text as it is, with spans, to evaluate',
      )
        .choices(POLICIES)
        .default('tag'),
    )
    .addOption(
      new Option('--language <language>', 'of surrogates').choices(['en', 'es']).default('en'),
    )
    .option('--threshold <share>', 'a token is PHI from this probability on', share)
    .option('--dev <input>', 'labelled notes to choose the threshold by, with --recall')
    .option('--recall <share>', 'share of PHI tokens to find in the dev notes', share)
    .option('--registry <url>', 'asked whether the pipeline was revoked')
    .option(
      '--no-patterns',
      'leave addresses and numbers to the model, without recognisers by shape',
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
  const { model: pipeline, embeddings, format, policy } = options;
  if (format === 'text' && policy === 'annotate')
    throw new TacetError('usage', '--policy annotate needs a format with spans: brat, i2b2, jsonl');
  const context = contextOf(command);
  const { signal, say } = context;
  const trust = { trustedKeys: await readTrustedKeys(options.trust) };
  const backend: string | undefined = command.optsWithGlobals().backend;
  const setup = { trust, embeddings, pipeline, backend };
  const models = await ModelThread.start(setup, context);
  try {
    const { pipeline: identity } = models.identities;
    if (identity) {
      const registry = options.registry && (await clientFor(options.registry, options));
      await approve(identity, { registry: registry || undefined }, options, context);
    }
    const threshold = await thresholdOf(options, models, context);
    let bad = 0;
    const { skipBad } = options;
    const documents = readCorpus(input, { skipBad, onBad: () => bad++, signal });
    // Where there is nothing to read, nothing is made.
    const first = await documents.next();
    const counts = { documents: 0, spans: 0, done: 0 };
    const { language, patterns } = options;
    const how = { policy, language, threshold, patterns };
    const all = first.done ? documents : resumed(first.value, documents);
    const made = { input: path.resolve(input), model: identity?.digest ?? '', format };
    const settings = { ...made, policy, language, threshold: threshold ?? null, patterns };
    const written = await ResumableOutput.open(output, format, settings, options.resume ?? false);
    try {
      await deidentifyAll(all, written, models, how, counts, context);
      await written.finish();
    } catch (error) {
      if (await written.abandon()) say(`${output}: not finished; go on with --resume`);
      throw error;
    }
    if (bad > 0) say(`left out ${bad} documents that could not be read`);
    if (counts.done > 0) say(`passed over ${counts.done} documents that were done before`);
    context.result({ ...counts, bad, threshold: threshold ?? null, output }, [
      `documents  ${counts.documents}`,
      `spans      ${counts.spans}`,
      `output     ${output}`,
    ]);
  } finally {
    await models.close();
  }
}

/** The threshold that was given, or the one that finds enough in the dev notes. */
async function thresholdOf(
  { threshold, dev, recall }: DeidentifyCommandOptions,
  models: ModelThread,
  context: Context,
): Promise<number | undefined> {
  if ((dev === undefined) !== (recall === undefined))
    throw new TacetError('usage', '--dev and --recall go together');
  if (dev === undefined || recall === undefined) return threshold;
  if (threshold !== undefined)
    throw new TacetError('usage', 'give --threshold, or --dev and --recall');
  const point = await models.call('operatingPoint', { dev, recall }, context);
  context.say(
    `threshold ${point.threshold.toPrecision(3)}: recall ${point.recall.toFixed(4)}, ` +
      `precision ${point.precision.toFixed(4)} of tokens in the dev notes`,
  );
  return point.threshold;
}

async function* resumed(first: Document, rest: AsyncIterable<Document>): AsyncGenerator<Document> {
  yield first;
  yield* rest;
}

async function deidentifyAll(
  documents: AsyncIterable<Document>,
  output: ResumableOutput,
  models: ModelThread,
  how: Omit<DeidentifyOptions, 'signal'>,
  counts: { documents: number; spans: number; done: number },
  { signal, progress }: Context,
): Promise<void> {
  for await (const document of documents) {
    signal.throwIfAborted();
    if (output.isDone(document.id)) {
      counts.done++;
      continue;
    }
    const replaced = await models.call('deidentify', { document, how }, { signal });
    await output.write(replaced);
    counts.documents++;
    counts.spans += replaced.spans.length;
    progress({ step: 'de-identify', done: counts.documents + counts.done, unit: 'documents' });
  }
}
