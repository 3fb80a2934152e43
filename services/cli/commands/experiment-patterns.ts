import { Command } from 'commander';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import { percent } from '../../../platform/percent-text.js';
import {
  type PatternScores,
  type PatternSpan,
  patternScores,
} from '../../../study/measures/pattern-scores.js';
import { LEAST_WITH_CONTEXT } from '../../institution/deidentify/recognisers/context.js';
import {
  findPatterns,
  recognisersFor,
} from '../../institution/deidentify/recognisers/recognisers.js';
import { contextOf } from '../context.js';

/** `tacet experiment patterns`: what the recognisers find without a model. */
export function experimentPatternsCommand(): Command {
  return new Command('patterns')
    .description('score what is found by its shape alone, without a model, pattern by pattern')
    .argument('<notes>', 'labelled notes')
    .action(run);
}

async function run(notes: string, _options: unknown, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const documents = readCorpus(notes, { requireAnnotations: true, signal });
  const scores = await patternScores(documents, (text) => findings(text, signal));
  result(scores, describe(scores));
}

async function findings(text: string, signal: AbortSignal): Promise<PatternSpan[]> {
  const found: PatternSpan[] = [];
  for await (const { score, ...finding } of findPatterns(text, recognisersFor(), { signal }))
    if (score >= LEAST_WITH_CONTEXT) found.push(finding);
  return found;
}

function describe({ patterns, types }: PatternScores): string[] {
  return [
    row('', 'found', 'exact', 'precision of tokens'),
    ...patterns.map(({ recogniser, pattern, findings: all, exact, tokens, phiTokens }) =>
      row(`${recogniser}: ${pattern}`, all, exact, percent(phiTokens / tokens)),
    ),
    '',
    row('', 'tokens', 'found', 'recall of tokens'),
    ...types.map(({ type, tokens, found }) => row(type, tokens, found, percent(found / tokens))),
  ];
}

function row(name: string, ...cells: readonly (string | number)[]): string {
  return `${name.padEnd(64)}${cells.map((cell) => `${cell}`.padStart(8)).join('')}`;
}
