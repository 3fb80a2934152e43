import { Command } from 'commander';
import { meanOf } from '../../../models/statistics/mean-of.js';
import { hundredths } from '../../../platform/percent-text.js';
import { alignedTable } from '../../../study/text-table.js';
import { compareMatrix, type Matrix } from '../../workflows/train/matrix-comparison.js';
import { readConfig } from '../../workflows/train/training-config.js';
import { useBackendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { namedBy } from '../named-values.js';
import { seedList } from '../seed-list.js';
import { parseShare } from '../share.js';
import { wholeNumber } from '../whole-number.js';

interface Options {
  readonly provider?: string;
  readonly site: readonly string[];
  readonly heldOut?: readonly string[];
  readonly heldOutShare: number;
  readonly unseen?: readonly string[];
  readonly representation?: readonly string[];
  readonly embeddings: string;
  readonly scheme: string;
  readonly neighbours: number;
  readonly config?: string;
  readonly seeds: readonly number[];
  readonly out: string;
}

/** A quarter of the documents of each place. */
const HELD_OUT_SHARE = 0.25;
const NEIGHBOURS = 500;

/** `tacet experiment matrix`: what representations are worth to places that they do not come from. */
export function experimentMatrixCommand(): Command {
  return new Command('matrix')
    .description(
      'representations by places: what each place finds alone, and all of them by text and by releases',
    )
    .option('--provider <name=path>', 'labelled notes that the representations learned from')
    .requiredOption('--site <name=path...>', 'labelled notes of each place that shares')
    .option('--held-out <name=path...>', 'notes of a place that are measured on')
    .option(
      '--held-out-share <share>',
      'of the documents of the other places, chosen by the seed',
      parseShare,
      HELD_OUT_SHARE,
    )
    .option('--unseen <name=path...>', 'notes of places that nobody trains on, measured as well')
    .option('--representation <name=dir...>', 'frozen representations, a row each')
    .requiredOption('--embeddings <file>', 'word vectors (.vec, .bin, GloVe text), or wink')
    .requiredOption('--scheme <name>', 'label scheme, by name or file')
    .option('--neighbours <n>', 'N of the limits', wholeNumber(1), NEIGHBOURS)
    .option('--config <file>', 'training configuration, a file or a name')
    .option('--seeds <list>', 'which ones, by commas', seedList, [1])
    .requiredOption('--out <dir>', 'a file for each row and seed; what is there is not done again')
    .action(run);
}

async function run(options: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  await useBackendOf(command);
  const { provider, site, heldOut = [], unseen = [], representation = [], ...rest } = options;
  const matrix = await compareMatrix(
    {
      ...rest,
      provider: namedBy('--provider', provider === undefined ? [] : [provider]),
      sites: namedBy('--site', site),
      heldOut: namedBy('--held-out', heldOut),
      unseen: namedBy('--unseen', unseen),
      representations: namedBy('--representation', representation),
      config: await readConfig(options.config),
    },
    context,
  );
  context.result(matrix, [...scoreTables(matrix), ...limitTables(matrix)]);
}

/** A table for each place: what is learned from by rows, means over seeds. */
function scoreTables({ rows }: Matrix): string[] {
  const places = Object.keys(rows[0]?.sites ?? {});
  const names = [...new Set(rows.map(({ row }) => row))];
  return places.flatMap((place) => {
    const head = [place, 'seeds', 'token F1', 'precision', 'recall', 'entity F1'];
    const freeText = ['free text F1', 'recall there'];
    const lines = names.map((name) => {
      const own = rows.filter(({ row }) => row === name).flatMap(({ sites }) => sites[place] ?? []);
      const values = [
        own.map(({ binaryToken }) => binaryToken.f1.value),
        own.map(({ binaryToken }) => binaryToken.precision.value),
        own.map(({ binaryToken }) => binaryToken.recall.value),
        own.map(({ entity }) => entity.f1.value),
        own.map((scores) => scores.freeText.f1.value),
        own.map((scores) => scores.freeText.recall.value),
      ];
      return [name, `${own.length}`, ...values.map((each) => hundredths(meanOf(each)))];
    });
    return [...alignedTable([[...head, ...freeText], ...lines]), ''];
  });
}

/** What a word that nobody labelled risks, in each place. */
function limitTables({ limits }: Matrix): string[] {
  return limits.flatMap(({ representation, sites }) => {
    const head = [`limits, ${representation}`, 'pairs', 'mean', '95 %', '99 %', 'maximum'];
    const lines = Object.entries(sites).map(([place, limit]) => {
      const { bound, percentile95, percentile99, maximum } = limit;
      const values = [bound.value, percentile95, percentile99, maximum];
      return [place, `${limit.pairs}`, ...values.map((each) => hundredths(each))];
    });
    return [...alignedTable([head, ...lines]), ''];
  });
}
