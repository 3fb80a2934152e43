import { Command, Option } from 'commander';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import type { Tagger } from '../../../models/networks/tagger.js';
import type { Progress } from '../../../models/progress.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { WRITTEN_FORMATS, type WrittenFormat } from '../../../models/text/corpus/format.js';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import { writeCorpus } from '../../../models/text/corpus/write-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { TacetError } from '../../../proto/errors.js';
import {
  type DeidentifyOptions,
  deidentify,
  POLICIES,
  type Policy,
} from '../../encoder/deidentify.js';
import { operatingPoint } from '../../encoder/operating-threshold.js';
import type { SurrogateLanguage } from '../../encoder/surrogates/surrogates.js';
import { openTaggingModel } from '../../encoder/tagging-model.js';
import { type Context, contextOf } from '../context.js';
import { readTrustedKeys } from '../credentials.js';
import { share } from '../share.js';

interface DeidentifyCommandOptions {
  readonly model: string;
  readonly trust: readonly string[];
  readonly embeddings: string;
  readonly format: WrittenFormat;
  readonly policy: Policy;
  readonly language: SurrogateLanguage;
  readonly threshold?: number;
  readonly dev?: string;
  readonly recall?: number;
  readonly skipBad?: boolean;
}

/** `tacet deidentify`: PHI out of notes, with a published pipeline. */
export function deidentifyCommand(): Command {
  return new Command('deidentify')
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
    .option('--skip-bad', 'leave out documents that cannot be read')
    .action(run);
}

async function run(
  input: string,
  output: string,
  options: DeidentifyCommandOptions,
  command: Command,
): Promise<void> {
  const { model, embeddings, format, policy } = options;
  if (format === 'text' && policy === 'annotate')
    throw new TacetError('usage', '--policy annotate needs a format with spans: brat, i2b2, jsonl');
  const { signal, progress, say, result } = contextOf(command);
  await useBackend(command.optsWithGlobals().backend);
  const tagger = await openTaggingModel(model, {
    trustedKeys: await readTrustedKeys(options.trust),
    embeddings: await openEmbeddings(embeddings, { signal, progress }),
  });
  const threshold = await thresholdOf(options, tagger, contextOf(command));
  let bad = 0;
  const documents = readCorpus(input, {
    skipBad: options.skipBad,
    onBad: () => bad++,
    signal,
  });
  const counts = { documents: 0, spans: 0 };
  const { language } = options;
  const how = { policy, language, threshold, signal };
  const replaced = deidentified(documents, tagger, how, counts, progress);
  await writeCorpus(replaced, output, format, { signal });
  if (bad > 0) say(`left out ${bad} documents that could not be read`);
  result({ ...counts, bad, threshold: threshold ?? null, output }, [
    `documents  ${counts.documents}`,
    `spans      ${counts.spans}`,
    `output     ${output}`,
  ]);
}

/** The threshold that was given, or the one that finds enough in the dev notes. */
async function thresholdOf(
  { threshold, dev, recall }: DeidentifyCommandOptions,
  tagger: Tagger,
  { signal, say }: Context,
): Promise<number | undefined> {
  if ((dev === undefined) !== (recall === undefined))
    throw new TacetError('usage', '--dev and --recall go together');
  if (dev === undefined || recall === undefined) return threshold;
  if (threshold !== undefined)
    throw new TacetError('usage', 'give --threshold, or --dev and --recall');
  const point = await operatingPoint(readCorpus(dev, { signal }), tagger, recall, signal);
  say(
    `threshold ${point.threshold.toPrecision(3)}: recall ${point.recall.toFixed(4)}, ` +
      `precision ${point.precision.toFixed(4)} of tokens in the dev notes`,
  );
  return point.threshold;
}

async function* deidentified(
  documents: AsyncIterable<Document>,
  tagger: Tagger,
  options: DeidentifyOptions,
  counts: { documents: number; spans: number },
  progress: Progress,
): AsyncGenerator<Document> {
  for await (const document of documents) {
    const replaced = await deidentify(document, tagger, options);
    counts.documents++;
    counts.spans += replaced.spans.length;
    yield replaced;
    progress({ step: 'de-identify', done: counts.documents, unit: 'documents' });
  }
}
