import { Command } from 'commander';
import { meanOf } from '../../../models/statistics/mean-of.js';
import { hundredths } from '../../../platform/percent-text.js';
import { alignedTable } from '../../../study/report/text-table.js';
import { compareMatrix, type Matrix } from '../../workflows/train/matrix-comparison.js';
import { useBackendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { type PlaceOptions, placesOf, withPlaceOptions } from '../place-options.js';
import { wholeNumber } from '../whole-number.js';

interface Options extends PlaceOptions {
  readonly neighbours: number;
}

const NEIGHBOURS = 500;

/** `tacet experiment matrix`: what representations are worth to places that they do not come from. */
export function experimentMatrixCommand(): Command {
  const command = new Command('matrix').description(
    'representations by places: what each place finds alone, and all of them by text and by releases',
  );
  return withPlaceOptions(command)
    .option('--neighbours <n>', 'N of the limits', wholeNumber(1), NEIGHBOURS)
    .action(run);
}

async function run(options: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  await useBackendOf(command);
  const matrix = await compareMatrix({ ...options, ...(await placesOf(options)) }, context);
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
