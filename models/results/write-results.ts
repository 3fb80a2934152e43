import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Figure, figureSvg } from '../charts/figure.js';
import { PngRenderer } from '../charts/png.js';
import { writeAtomically } from '../embeddings/atomic-file.js';
import type { Collected } from './collect.js';
import { resultFigures } from './figures.js';
import { resultsReport } from './report.js';
import { type Row, rowsOf } from './row.js';
import { runCurves } from './run-curves.js';

export interface WrittenResults {
  readonly rows: readonly Row[];
  readonly files: readonly string[];
  /** False where this machine has no font, so that figures are SVG alone. */
  readonly png: boolean;
}

/**
 * Writes `results.json`, `RESULTS.md`, and `figures/` (SVG and PNG; `figures/curves/` for single
 * runs) into a directory. What a person wrote between the report's marks stays.
 */
export async function writeResults(
  collected: Collected,
  directory: string,
  command: string,
): Promise<WrittenResults> {
  const rows = rowsOf(collected.runs);
  const renderer = await PngRenderer.create();
  const files: string[] = [];
  const write = async (name: string, content: string | Uint8Array) => {
    const file = path.join(directory, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeAtomically(file, [Buffer.from(content)]);
    files.push(name);
  };
  const draw = async (name: string, figure: Figure) => {
    const svg = figureSvg(figure);
    await write(`${name}.svg`, svg);
    if (renderer) await write(`${name}.png`, renderer.png(svg));
  };
  try {
    const figures = resultFigures(rows);
    for (const { file, figure } of figures) await draw(`figures/${file}`, figure);
    const curves: string[] = [];
    for (const run of collected.runs) {
      for (const [kind, figure] of Object.entries(runCurves(run))) {
        const name = `figures/curves/${run.name.replaceAll(/[/\\]/g, '-')}-${kind}`;
        await draw(name, figure);
        curves.push(`${name}.svg`);
      }
    }
    await write('results.json', `${JSON.stringify(resultsOf(rows, collected), null, 2)}\n`);
    const before = await readFile(path.join(directory, 'RESULTS.md'), 'utf8').catch(() => null);
    const report = { rows, ...collected, figures, curves, command };
    await write('RESULTS.md', resultsReport(report, before));
  } finally {
    await renderer?.close();
  }
  return { rows, files, png: renderer !== null };
}

/** `results.json`: the rows, and every run with its configuration and its measurements. */
export function resultsOf(rows: readonly Row[], { runs, unfinished, unreadable }: Collected) {
  return {
    format: 'tacet-results-1',
    rows,
    runs: runs.map(({ name, run, measurements }) => {
      const { kind, scheme, embeddings, corpus, backend, config } = run;
      return { name, kind, backend, scheme, embeddings, corpus, config, measurements };
    }),
    unfinished,
    unreadable,
  };
}
