import { Command } from 'commander';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { mapTypes } from '../../../models/evaluation/map-types.js';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { percent } from '../../../platform/percent-text.js';
import { thresholdText } from '../../../platform/threshold-text.js';
import { type OperatingPoints, operatingPoints } from '../../../study/measures/operating-points.js';
import type { Measured } from '../../../study/runs/deidentifier-scores.js';
import { openTaggingModel } from '../../institution/bundles/tagging-model.js';
import { useBackendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { readTrustedKeys } from '../credentials.js';
import { withPrecisions } from '../precisions-option.js';

interface Options {
  readonly model: readonly string[];
  readonly trust: readonly string[];
  readonly embeddings: string;
  readonly precisions: readonly number[];
}

/** `tacet experiment thresholds`: precision against recall of pipelines on the same notes. */
export function experimentThresholdsCommand(): Command {
  const command = new Command('thresholds')
    .description('recall of PHI tokens of pipelines at the same precisions, by their thresholds')
    .argument('<notes>', 'labelled notes that none was trained on')
    .requiredOption('--model <pipeline...>', 'pipeline bundles, on the same word vectors')
    .requiredOption('--trust <file...>', 'public keys of their publishers')
    .requiredOption('--embeddings <file>', 'the word vectors that they name, or wink');
  return withPrecisions(command).action(run);
}

async function run(notes: string, options: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  const { signal, progress, result } = context;
  await useBackendOf(command);
  const documents: Document[] = [];
  for await (const document of readCorpus(notes, { requireAnnotations: true, signal }))
    documents.push(document);
  const trustedKeys = await readTrustedKeys(options.trust);
  const embeddings = await openEmbeddings(options.embeddings, { signal, progress });
  const found: (OperatingPoints & { model: string })[] = [];
  for (const model of options.model) {
    const tagger = await openTaggingModel(model, { trustedKeys, embeddings });
    const held = documents.map((document) => mapTypes(document, tagger.scheme));
    const points = await operatingPoints(tagger, held, options.precisions, context);
    found.push({ model, ...points });
  }
  result(
    found,
    found.flatMap((one) => describe(one, options.precisions)),
  );
}

function describe(
  { model, decoded, points }: OperatingPoints & { model: string },
  precisions: readonly number[],
): string[] {
  const { binaryToken, entity } = decoded;
  const { precision, recall, f1 } = binaryToken;
  return [
    `${model}: token precision ${text(precision)}, recall ${text(recall)}, F1 ${text(f1)}; ` +
      `entity F1 ${text(entity.f1)}`,
    ...points.map((point, i) => {
      const wanted = percent(precisions[i] as number);
      if (!point) return `  at precision ${wanted}: no threshold has it`;
      return `  at precision ${wanted}: recall ${text(point.recall)}, from ${thresholdText(point.threshold)} on`;
    }),
  ];
}

function text({ value, interval: [low, high] }: Measured): string {
  return `${percent(value)} [${percent(low)}, ${percent(high)}]`;
}
