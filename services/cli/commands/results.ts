import path from 'node:path';
import { Command } from 'commander';
import { rowsOf } from '../../../study/report/row.js';
import { resultTables } from '../../../study/report/table.js';
import { alignedTable } from '../../../study/report/text-table.js';
import { redrawResults, resultsOf, writeResults } from '../../../study/report/write-results.js';
import { collectRuns, unreadableText } from '../../../study/runs/collect.js';
import { contextOf } from '../context.js';

/** `tacet results`: what all runs below a directory came to. */
export function resultsCommand(): Command {
  return new Command('results')
    .description('tabulate finished runs and what was measured of them')
    .argument(
      '<dir>',
      'a run of tacet train, or a folder with runs at any depth; or a results.json, to draw its figures anew',
    )
    .option('--out <dir>', 'also write RESULTS.md, results.json, and figures as SVG and PNG')
    .action(async (directory: string, { out }: { out?: string }, command: Command) => {
      const { result } = contextOf(command);
      if (path.extname(directory) === '.json') {
        const folder = out ?? path.dirname(directory);
        const files = await redrawResults(directory, folder);
        result({ files }, `${files.length} files in ${folder}`);
        return;
      }
      const collected = await collectRuns(directory);
      const rows = rowsOf(collected.runs);
      const lines = resultTables(rows).flatMap(({ title, legend, table }) => [
        ...[title, legend, ''],
        ...alignedTable(table),
        '',
      ]);
      const { unfinished } = collected;
      if (unfinished.length > 0) lines.push(`not finished: ${unfinished.join(', ')}`);
      lines.push(...collected.unreadable.map(unreadableText));
      if (out !== undefined) {
        const files = await writeResults(
          collected,
          out,
          `tacet results ${displayPath(directory)} --out ${displayPath(out)}`,
        );
        lines.push(`${files.length} files in ${out}`);
      }
      result(resultsOf(rows, collected), lines);
    });
}

/** A folder as a report may name it: no report tells where on a machine it was written. */
function displayPath(directory: string): string {
  const relative = path.relative('.', directory);
  return relative.startsWith('..') ? path.basename(path.resolve(directory)) : relative || '.';
}
