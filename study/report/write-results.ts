import path from 'node:path';
import { textIfThere } from '../../platform/files/optional-file.js';
import { TacetError } from '../../proto/errors.js';
import type { Collected } from '../runs/collect.js';
import { FigureFiles } from './figure-files.js';
import type { NamedFigure } from './figure-parts.js';
import { resultFigures } from './figures.js';
import { resultsReport } from './report.js';
import { type Row, rowsOf } from './row.js';
import { runCurves } from './run-curves.js';

const FORMAT = 'tacet-results-1';

/**
 * Writes `results.json`, `RESULTS.md`, and `figures/` (SVG and PNG; `figures/curves/` for single
 * runs) into a directory, and returns their names. What a person wrote between the report's marks stays: throws
 * `file-unreadable` where it cannot be read.
 */
export async function writeResults(
  collected: Collected,
  directory: string,
  command: string,
): Promise<readonly string[]> {
  const rows = rowsOf(collected.runs);
  const files = new FigureFiles(directory);
  const figures = await drawFigures(rows, files);
  const curves: string[] = [];
  for (const run of collected.runs) {
    for (const [kind, figure] of Object.entries(runCurves(run))) {
      const name = `figures/curves/${run.name.replaceAll(/[/\\]/g, '-')}-${kind}`;
      await files.draw(name, figure);
      curves.push(`${name}.svg`);
    }
  }
  await files.write('results.json', `${JSON.stringify(resultsOf(rows, collected), null, 2)}\n`);
  const before = await textIfThere(path.join(directory, 'RESULTS.md'));
  const report = { rows, ...collected, figures, curves, command };
  await files.write('RESULTS.md', resultsReport(report, before));
  return files.names;
}

/** Draws the figures of a `results.json` anew, into `figures/` of a directory; returns their names. */
export async function redrawResults(file: string, directory: string): Promise<readonly string[]> {
  const rows = await readRows(file);
  const files = new FigureFiles(directory);
  await drawFigures(rows, files);
  return files.names;
}

async function drawFigures(rows: readonly Row[], files: FigureFiles): Promise<NamedFigure[]> {
  const figures = resultFigures(rows);
  for (const { file, figure } of figures) await files.draw(`figures/${file}`, figure);
  return figures;
}

/** Throws `file-not-found`, or `config-invalid` where the file was not written by `tacet results`. */
async function readRows(file: string): Promise<readonly Row[]> {
  const text = await textIfThere(file);
  if (text === undefined) throw new TacetError('file-not-found', `${file}: no such file`);
  try {
    const { format, rows } = JSON.parse(text) as Partial<ReturnType<typeof resultsOf>>;
    if (format === FORMAT && Array.isArray(rows)) return rows;
  } catch {}
  throw new TacetError(
    'config-invalid',
    `${file}: expected the results.json that tacet results writes (${FORMAT})`,
  );
}

/** `results.json`: the rows, and every run with its configuration and its measurements. */
export function resultsOf(rows: readonly Row[], { runs, unfinished, unreadable }: Collected) {
  return {
    format: FORMAT,
    rows,
    runs: runs.map(({ name, run, measurements }) => {
      const { kind, backend, scheme, embeddings, corpus, unlabelled, language, config } = run;
      const material = { scheme, embeddings, corpus, unlabelled, language };
      return { name, kind, backend, ...material, config, measurements };
    }),
    unfinished,
    unreadable,
  };
}
