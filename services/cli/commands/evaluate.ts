import { Command, Option } from 'commander';
import { alignDocuments, documentIds } from '../../../models/evaluation/align-documents.js';
import { type Compared, compareSystems } from '../../../models/evaluation/comparison.js';
import { comparisonTable } from '../../../models/evaluation/comparison-table.js';
import { CountColumns } from '../../../models/evaluation/count-columns.js';
import { ErrorPage } from '../../../models/evaluation/error-page.js';
import { Tally } from '../../../models/evaluation/evaluate.js';
import { evaluationTable } from '../../../models/evaluation/evaluation-table.js';
import { HipaaView } from '../../../models/evaluation/hipaa-view.js';
import { I2b2Report } from '../../../models/evaluation/i2b2-report.js';
import { mapTypes } from '../../../models/evaluation/map-types.js';
import { meddocanReport, meddocanScores } from '../../../models/evaluation/meddocan-report.js';
import { DEFAULT_TRIALS } from '../../../models/statistics/approximate-randomisation.js';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { DraftFile } from '../../../platform/files/draft-file.js';
import type { Context } from '../../workflows/context.js';
import { contextOf } from '../context.js';
import { wholeNumber } from '../whole-number.js';

interface EvaluateOptions {
  readonly gold: string;
  readonly system: string;
  readonly versus?: string;
  readonly scheme?: string;
  readonly hipaa: string;
  readonly report?: 'i2b2' | 'meddocan';
  readonly sentences?: number;
  readonly html?: string;
  readonly seed: number;
  readonly resamples: number;
  readonly trials: number;
}

/** `tacet evaluate`: scores of any system's annotations. */
export function evaluateCommand(): Command {
  return new Command('evaluate')
    .description('score the annotations of a system against a gold standard')
    .requiredOption('--gold <path>', 'documents with the right spans')
    .requiredOption('--system <path>', 'the same documents, by id, with the spans of the system')
    .option('--versus <path>', 'a second system: test which differences are significant')
    .option('--scheme <name>', 'map the types of all to a label scheme, e.g. hipaa-binary')
    .option(
      '--hipaa <name>',
      'the label scheme that says which types are HIPAA identifiers',
      'i2b2-official-hipaa',
    )
    .addOption(
      new Option('--report <name>', 'print the report of an official script instead').choices([
        'i2b2',
        'meddocan',
      ]),
    )
    .option('--sentences <number>', "sentences, for MEDDOCAN's leak", wholeNumber(1))
    .option('--html <file>', 'also write a page that shows the errors; it holds text and PHI')
    .option('--seed <number>', 'seed of intervals and significance', wholeNumber(0), 1)
    .option('--resamples <number>', 'samples of the bootstrap', wholeNumber(1, 1e6), 1000)
    .option(
      '--trials <number>',
      'trials of the significance test',
      wholeNumber(1, 1e7),
      DEFAULT_TRIALS,
    )
    .action(run);
}

async function run(options: EvaluateOptions, command: Command): Promise<void> {
  const context = contextOf(command);
  const hipaa = new HipaaView(loadLabelScheme(options.hipaa));
  const columns = new CountColumns();
  const tallies = [new Tally(hipaa, columns), new Tally(hipaa, columns)] as const;
  const report = options.report === 'i2b2' ? new I2b2Report(hipaa) : undefined;
  const page = options.html === undefined ? undefined : await openPage(options.html);
  try {
    for await (const { gold, systems } of documents(options, context)) {
      for (const [at, system] of systems.entries()) tallies[at]?.add({ gold, system });
      const pair = { gold, system: systems[0] as Document };
      report?.add(pair);
      await page?.file.write(page.page.document(pair));
    }
    const [system, versus] = tallies;
    const evaluation = system.evaluation(options);
    const meddocan = meddocanScores(evaluation, options.sentences);
    await page?.file.write(page.page.tail(evaluation));
    await page?.file.commit();
    const compared =
      options.versus === undefined
        ? undefined
        : await compareSystems(system, versus, { ...options, ...context });
    if (report !== undefined) context.result(report.blocks, report.lines);
    else if (options.report === 'meddocan') context.result(meddocan, meddocanReport(meddocan));
    else
      context.result({ ...evaluation, meddocan, ...(compared && { compared }) }, [
        ...evaluationTable(evaluation),
        ...(options.sentences === undefined ? [] : meddocanReport(meddocan).slice(0, 1)),
        ...comparisonLines(compared, options.trials),
      ]);
  } finally {
    await page?.file.discard();
  }
}

async function openPage(path: string): Promise<{ file: DraftFile; page: ErrorPage }> {
  const file = await DraftFile.create(path, { isPrivate: true });
  const page = new ErrorPage();
  await file.write(page.head());
  return { file, page };
}

function comparisonLines(compared: readonly Compared[] | undefined, trials: number): string[] {
  return compared === undefined ? [] : ['', ...comparisonTable(compared, trials)];
}

/** Aligned documents in the scheme; the gold standard is read twice, first for its ids. */
async function* documents(options: EvaluateOptions, { signal, progress, say }: Context) {
  const scheme = options.scheme === undefined ? undefined : loadLabelScheme(options.scheme);
  const inScheme = (document: Document) => (scheme ? mapTypes(document, scheme) : document);
  const ids = await documentIds(readCorpus(options.gold, { signal }));
  const systems = [options.system, ...(options.versus === undefined ? [] : [options.versus])];
  let extra = 0;
  let done = 0;
  const aligned = alignDocuments(
    readCorpus(options.gold, { signal }),
    systems.map((path) => readCorpus(path, { signal, overlaps: 'keep' })),
    ids,
    () => extra++,
  );
  for await (const { gold, systems } of aligned) {
    yield { gold: inScheme(gold), systems: systems.map(inScheme) };
    done++;
    if (done % DOCUMENTS_A_REPORT === 0 || done === ids.size)
      progress({ step: 'scoring', done, total: ids.size, unit: 'documents' });
  }
  if (extra > 0) say(`${extra} system documents have no gold document and are left out`);
}

const DOCUMENTS_A_REPORT = 50;
