import { Command, InvalidArgumentError, Option } from 'commander';
import { requireLanguages } from '../../../models/surrogates/locale-entities.js';
import { percent } from '../../../platform/percent-text.js';
import {
  PHICON_ROWS,
  type PhiconResult,
  type PhiconRow,
} from '../../../study/augmentation/phicon.js';
import { type PhiconLine, phiconLines } from '../../../study/augmentation/phicon-table.js';
import { PHICON_TAGGERS, type PhiconTagger } from '../../../study/augmentation/phicon-taggers.js';
import { alignedTable } from '../../../study/report/text-table.js';
import { comparePhicon, phiconConfigs } from '../../workflows/train/phicon-comparison.js';
import { useBackendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { namedBy } from '../named-values.js';
import { seedList } from '../seed-list.js';
import { wholeNumber } from '../whole-number.js';

interface Options {
  readonly train: string;
  readonly test: readonly string[];
  readonly language: string;
  readonly embeddings: string;
  readonly scheme: string;
  readonly taggers: readonly PhiconTagger[];
  readonly rows: readonly PhiconRow[];
  readonly shares: readonly number[];
  readonly alphas: readonly number[];
  readonly least: number;
  readonly representation?: string;
  readonly config?: string;
  readonly seeds: readonly number[];
  readonly out: string;
}

const LEAST_SPANS = 20;
/** What Yue and Zhou 2020 recommend. */
const ALPHA = 2;
const MOST_ALPHA = 100;

/** `tacet experiment phicon`: augmented sentences beside the notes of one corpus, measured on others. */
export function experimentPhiconCommand(): Command {
  return new Command('phicon')
    .description('augmentation of PHI and of the words around it, from one corpus to others')
    .requiredOption('--train <name=path>', 'labelled notes to learn from, parted 7:1:2 by the seed')
    .requiredOption('--test <name=path...>', 'labelled notes that are measured on, whole')
    .requiredOption('--language <tag>', 'BCP 47, of all of them')
    .requiredOption('--embeddings <file>', 'word vectors (.vec, .bin, GloVe text), or wink')
    .option('--scheme <name>', 'categories that all types map to, by name or file', 'phicon')
    .addOption(
      new Option('--rows <row...>', 'what is augmented').choices(PHICON_ROWS).default(PHICON_ROWS),
    )
    .addOption(
      new Option('--taggers <name...>', 'what learns')
        .choices(Object.keys(PHICON_TAGGERS))
        .default(['ours']),
    )
    .option('--representation <dir>', 'a frozen representation, for the tagger released')
    .option('--shares <list>', 'percent of the notes for training, by commas', shareList, [1])
    .option('--alphas <list>', 'how many augmented copies, by commas', alphaList, [ALPHA])
    .option('--least <n>', 'types of fewer spans are dropped', wholeNumber(0), LEAST_SPANS)
    .option('--config <file>', 'training configuration, a file or a name')
    .option('--seeds <list>', 'which ones, by commas', seedList, [1])
    .requiredOption('--out <dir>', 'a file for each training; what is there is not done again')
    .action(run);
}

async function run({ least, ...options }: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  await requireLanguages([options.language]);
  await useBackendOf(command);
  const comparison = {
    ...options,
    leastSpans: least,
    train: namedBy('--train', [options.train]),
    tests: namedBy('--test', options.test),
    configs: await phiconConfigs(options.config),
  };
  const results: PhiconResult[] = [];
  for await (const result of comparePhicon(comparison, context)) {
    results.push(result);
    const { tagger, row, alpha, share, seed, epochs } = result;
    context.say(`${tagger}, ${row}, α ${alpha}, ${percent(share)}, seed ${seed}: ${epochs} epochs`);
  }
  const lines = phiconLines(results);
  context.result({ results, lines }, tablesOf(lines));
}

/** A table for each corpus. */
function tablesOf(lines: readonly PhiconLine[]): string[] {
  return [...new Set(lines.map(({ corpus }) => corpus))].flatMap((corpus) => {
    const own = lines.filter((line) => line.corpus === corpus);
    const names = [...new Set(own.flatMap(({ categories }) => Object.keys(categories)))];
    const head = [corpus, 'augmented', 'α', 'notes', 'runs', 'F1', 'precision', 'recall', 'gain'];
    const rows = own.map((line) => [
      ...[line.tagger, line.row, `${line.alpha}`, percent(line.share), `${line.f1.runs}`],
      withInterval(line.f1.value, line.f1.interval ?? line.f1.range),
      ...[percent(line.precision), percent(line.recall)],
      line.gain ? withInterval(line.gain.value, line.gain.interval) : '',
      ...names.map((name) => {
        const f1 = line.categories[name];
        return f1 === undefined ? '' : percent(f1);
      }),
    ]);
    return [...alignedTable([[...head, ...names], ...rows]), ''];
  });
}

function withInterval(value: number, interval: readonly [number, number] | undefined): string {
  const ends = interval?.map((end) => (100 * end).toFixed(1)).join(', ');
  return `${(100 * value).toFixed(1)}${ends === undefined ? '' : ` [${ends}]`}`;
}

/** `20,40,100`, of a hundred. */
function shareList(text: string): number[] {
  return text.split(',').map((each) => wholeNumber(1, 100)(each) / 100);
}

/** `1,2`. */
function alphaList(text: string): number[] {
  const alphas = text.split(',').map(wholeNumber(1, MOST_ALPHA));
  if (new Set(alphas).size === alphas.length) return alphas;
  throw new InvalidArgumentError('expected different numbers, by commas');
}
