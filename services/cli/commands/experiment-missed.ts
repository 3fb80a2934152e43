import { Command, InvalidArgumentError } from 'commander';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import type { Document } from '../../../models/text/document.js';
import type { FindPhi } from '../../../models/text/suspects.js';
import { percent } from '../../../platform/percent-text.js';
import { type MissedNames, missedNames } from '../../../study/measures/missed-names.js';
import { openTaggingModel } from '../../institution/bundles/tagging-model.js';
import { findPhi } from '../../institution/deidentify/recognisers/find-phi.js';
import { READER_THRESHOLD } from '../../workflows/entity-terms.js';
import { useBackendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { readTrustedKeys } from '../credentials.js';
import { parseShare } from '../share.js';
import { wholeNumber } from '../whole-number.js';

interface Options {
  readonly reader: string;
  readonly trust: readonly string[];
  readonly embeddings: string;
  readonly readerThreshold: number;
  readonly shares: readonly number[];
  readonly seed: number;
}

const SHARES = [0.01, 0.02, 0.05];

/** `tacet experiment missed`: how many names that nobody labelled a second reader keeps in the house. */
export function experimentMissedCommand(): Command {
  return new Command('missed')
    .description('take labels off notes at random, and count which of these names would leave')
    .argument('<notes>', 'labelled notes that the reader was not trained on')
    .requiredOption('--reader <pipeline>', 'pipeline bundle')
    .requiredOption('--trust <file...>', 'public keys of its publisher')
    .requiredOption('--embeddings <file>', 'the word vectors that it names, or wink')
    .option('--reader-threshold <share>', 'as of tacet encode', parseShare, READER_THRESHOLD)
    .option('--shares <list>', 'of the labels to take off', parseShares, SHARES)
    .option('--seed <n>', 'which ones', wholeNumber(0), 1)
    .action(run);
}

async function run(notes: string, options: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  const { signal, progress, result } = context;
  const { shares, seed, readerThreshold: threshold } = options;
  await useBackendOf(command);
  const documents: Document[] = [];
  for await (const document of readCorpus(notes, { requireAnnotations: true, signal }))
    documents.push(document);
  const tagger = await openTaggingModel(options.reader, {
    trustedKeys: await readTrustedKeys(options.trust),
    embeddings: await openEmbeddings(options.embeddings, { signal, progress }),
  });
  const find: FindPhi = (text, sentences) =>
    findPhi(text, tagger, { threshold, sentences, signal });
  const found = await missedNames(documents, tagger.scheme, find, { shares, seed });
  result(found, found.flatMap(describe));
}

function describe({ share, missed, leaves, byType, ...cost }: MissedNames): string[] {
  const leaving = (what: keyof typeof leaves) => {
    const { value, interval } = leaves[what];
    const [low, high] = interval.map((end) => percent(end));
    return `${percent(value)} [${low}, ${high}]`;
  };
  const types = Object.entries(byType).map(
    ([type, { missed: all, leave }]) => `  ${type.padEnd(36)} ${leave} of ${all}`,
  );
  return [
    `${percent(share)} of the labels taken off, ${missed} names: leave with suspects replaced ` +
      `${leaving('replace')}, with their sentences withheld ${leaving('withhold')}`,
    `  withholding leaves out ${percent(cost.withheldSentences)} of all sentences; ` +
      `replacing labels ${percent(cost.wrongTokens, { digits: 2 })} of all tokens wrongly`,
    ...types,
  ];
}

function parseShares(text: string): number[] {
  return text.split(',').map((each) => {
    const value = Number(each);
    if (value > 0 && value < 1) return value;
    throw new InvalidArgumentError('expected shares above 0 and below 1, by commas');
  });
}
