import { Command } from 'commander';
import { Coverage, type CoverageReport, ORIGINS } from '../../../models/embeddings/coverage.js';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import { percent } from '../../../platform/percent-text.js';
import { contextOf } from '../context.js';
import { SOURCE } from './embeddings-convert.js';

export function embeddingsOovCommand(): Command {
  return new Command('oov')
    .description('count where the vectors of a corpus come from; prints no word of it')
    .argument('<source>', SOURCE)
    .argument('<corpus>', 'a corpus file or directory')
    .option('--skip-bad', 'count documents that cannot be read, and go on')
    .action(
      async (source: string, corpus: string, { skipBad }: { skipBad?: true }, command: Command) => {
        const { signal, progress, result } = contextOf(command);
        const coverage = new Coverage(await openEmbeddings(source, { signal, progress }));
        let read = 0;
        let skipped = 0;
        const onBad = () => {
          skipped++;
        };
        for await (const document of readCorpus(corpus, { skipBad, onBad, signal })) {
          coverage.add(document);
          progress({ step: 'read the corpus', done: ++read, unit: 'documents' });
        }
        const report = coverage.report();
        result({ ...report, skipped }, table(report, skipped));
      },
    );
}

function table({ documents, tokens, ...counts }: CoverageReport, skipped: number): string[] {
  const columns = ['all', 'words', 'phi', 'distinct'] as const;
  const share = (column: (typeof columns)[number], origin: (typeof ORIGINS)[number]) => {
    const total = ORIGINS.reduce((sum, one) => sum + counts[column][one], 0);
    return total === 0 ? '-' : percent(counts[column][origin] / total, { digits: 2 });
  };
  const row = (name: string, cells: readonly string[]) =>
    name.padEnd(14) + cells.map((cell) => cell.padStart(12)).join('');
  return [
    `${documents} documents, ${tokens} tokens${skipped > 0 ? `, ${skipped} documents skipped` : ''}`,
    row('vector', ['tokens', 'words', 'PHI tokens', 'different']),
    ...ORIGINS.map((origin) =>
      row(
        origin,
        columns.map((column) => share(column, origin)),
      ),
    ),
  ];
}
