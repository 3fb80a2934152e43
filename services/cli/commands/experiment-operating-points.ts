import { Command } from 'commander';
import { hundredths, percent } from '../../../platform/percent-text.js';
import type { Cell } from '../../../study/report/cell.js';
import { type OperatingRow, operatingRows } from '../../../study/report/operating-point-rows.js';
import { seriesOf } from '../../../study/report/row.js';
import { alignedTable } from '../../../study/report/text-table.js';
import { collectRuns, unreadableText } from '../../../study/runs/collect.js';
import { type MaterialOptions, readMaterial } from '../../workflows/train/run-material.js';
import { useBackendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { withRunMaterialOptions } from '../material-options.js';
import { withPrecisions } from '../precisions-option.js';

interface Options extends MaterialOptions {
  readonly precisions: readonly number[];
}

/** `tacet experiment operating-points`: recall at the same precisions of runs, over their seeds. */
export function experimentOperatingPointsCommand(): Command {
  const command = new Command('operating-points')
    .description('recall of PHI tokens of finished runs at the same precisions, over their seeds')
    .argument(
      '<dir>',
      'a folder with runs at any depth; the first by name is what others are held against',
    );
  return withPrecisions(withRunMaterialOptions(command)).action(run);
}

async function run(directory: string, options: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  await useBackendOf(command);
  const { runs, unfinished, unreadable } = await collectRuns(directory);
  const material = await readMaterial(options, context);
  const rows = await operatingRows(seriesOf(runs), material, options.precisions, context);
  context.result(rows, [
    ...alignedTable([
      ['', 'seeds', 'precision', 'recall', 'F1', 'entity F1', ...headings('recall at', options)],
      ...rows.map((row) => [
        ...[row.name, row.seeds.join(', ')],
        ...[row.precision, row.recall, row.f1, row.entityF1].map(cellText),
        ...row.at.map(({ recall, bySeed }) => `${cellText(recall)}${seedText(bySeed)}`),
      ]),
    ]),
    '',
    ...alignedTable([
      [`above ${rows[0]?.name ?? ''}`, ...headings('at', options)],
      ...rows.slice(1).map(({ name, at }) => [name, ...at.map(aboveText)]),
    ]),
    ...(unfinished.length > 0 ? [`not finished: ${unfinished.join(', ')}`] : []),
    ...unreadable.map(unreadableText),
  ]);
}

function headings(what: string, { precisions }: Options): string[] {
  return precisions.map((precision) => `${what} ${percent(precision)}`);
}

function cellText({ value, interval }: Cell): string {
  return interval
    ? `${hundredths(value)} [${interval.map((end) => hundredths(end)).join(', ')}]`
    : hundredths(value);
}

function aboveText({ above }: OperatingRow['at'][number]): string {
  return above ? `${cellText(above)}${seedText(above.bySeed)}` : 'no seed of both';
}

function seedText(values: readonly number[]): string {
  return values.length > 1 ? ` (${values.map((value) => hundredths(value)).join(', ')})` : '';
}
