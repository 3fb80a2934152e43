import { Command, Option } from 'commander';
import type { Compared } from '../../../models/evaluation/comparison.js';
import { comparisonTable } from '../../../models/evaluation/comparison-table.js';
import { evaluationTable } from '../../../models/evaluation/evaluation-table.js';
import { meddocanReport, meddocanScores } from '../../../models/evaluation/meddocan-report.js';
import { DEFAULT_TRIALS } from '../../../models/statistics/approximate-randomisation.js';
import { TacetError } from '../../../proto/errors.js';
import {
  type EvaluationRequest,
  evaluateSystems,
  HIPAA_SCHEME,
} from '../../workflows/evaluate-systems.js';
import { contextOf } from '../context.js';
import { wholeNumber } from '../whole-number.js';

interface EvaluateOptions extends EvaluationRequest {
  readonly report?: 'i2b2' | 'meddocan';
  readonly sentences?: number;
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
      HIPAA_SCHEME,
    )
    .addOption(
      new Option('--report <name>', 'print the report of an official script instead').choices([
        'i2b2',
        'meddocan',
      ]),
    )
    .option('--sentences <number>', "sentences, for MEDDOCAN's leak", wholeNumber(1))
    .option(
      '--html <file>',
      'also write a page that shows the errors, a new file; it holds text and PHI',
    )
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
  const { report, sentences, trials } = options;
  if (report !== undefined && options.versus !== undefined)
    throw new TacetError(
      'usage',
      `--versus: the report of ${report} has no room for a second system; leave --report out`,
    );
  const request = { ...options, withI2b2: report === 'i2b2' };
  const { evaluation, i2b2, compared } = await evaluateSystems(request, context);
  if (i2b2) return context.result(i2b2.blocks, i2b2.lines);
  const meddocan = meddocanScores(evaluation, sentences);
  if (report === 'meddocan') return context.result(meddocan, meddocanReport(meddocan));
  context.result({ ...evaluation, meddocan, ...(compared && { compared }) }, [
    ...evaluationTable(evaluation),
    ...(sentences === undefined ? [] : meddocanReport(meddocan).slice(0, 1)),
    ...comparisonLines(compared, trials),
  ]);
}

function comparisonLines(compared: readonly Compared[] | undefined, trials: number): string[] {
  return compared === undefined ? [] : ['', ...comparisonTable(compared, trials)];
}
