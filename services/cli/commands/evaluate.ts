import { Command } from 'commander';
import { evaluate } from '../../../models/evaluation/evaluate.js';
import { evaluationTable } from '../../../models/evaluation/evaluation-table.js';
import { mapTypes } from '../../../models/evaluation/map-types.js';
import { pairDocuments } from '../../../models/evaluation/pair-documents.js';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { contextOf } from '../context.js';
import { wholeNumber } from '../whole-number.js';

interface EvaluateOptions {
  readonly gold: string;
  readonly system: string;
  readonly scheme?: string;
  readonly seed: number;
}

/** `tacet evaluate`: scores of any system's annotations. */
export function evaluateCommand(): Command {
  return new Command('evaluate')
    .description('score the annotations of a system against a gold standard')
    .requiredOption('--gold <path>', 'documents with the right spans')
    .requiredOption('--system <path>', 'the same documents, by id, with the spans of the system')
    .option('--scheme <name>', 'map the types of both to a label scheme, e.g. hipaa-binary')
    .option('--seed <number>', 'seed of the bootstrap intervals', wholeNumber(0), 1)
    .action(run);
}

async function run(options: EvaluateOptions, command: Command): Promise<void> {
  const context = contextOf(command);
  const scheme = options.scheme === undefined ? undefined : loadLabelScheme(options.scheme);
  const inScheme = (document: Document) => (scheme ? mapTypes(document, scheme) : document);
  const { signal } = context;
  const { pairs, extra } = await pairDocuments(
    readCorpus(options.gold, { signal }),
    readCorpus(options.system, { signal, overlaps: 'keep' }),
  );
  if (extra > 0) context.say(`${extra} system documents have no gold document and are left out`);
  const evaluation = evaluate(
    pairs.map(({ gold, system }) => ({ gold: inScheme(gold), system: inScheme(system) })),
    { seed: options.seed },
  );
  context.result(evaluation, evaluationTable(evaluation));
}
