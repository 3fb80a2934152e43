import { Command, InvalidArgumentError } from 'commander';
import { meanOf } from '../../../models/statistics/mean-of.js';
import { requireLanguages } from '../../../models/surrogates/locale-entities.js';
import { hundredths } from '../../../platform/percent-text.js';
import { alignedTable } from '../../../study/report/text-table.js';
import type { MeasuredScore } from '../../../study/runs/deidentifier-scores.js';
import { ARM_NAMES, type ArmName, type ArmResult } from '../../../study/sharing/inventory-arms.js';
import { LOW_THRESHOLDS } from '../../../study/sharing/site-scores.js';
import { compareInventories } from '../../workflows/train/inventory-comparison.js';
import { readConfig } from '../../workflows/train/training-config.js';
import { useBackendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { namedBy } from '../named-values.js';
import { seedList } from '../seed-list.js';
import { parseShare } from '../share.js';

interface Options {
  readonly provider: string;
  readonly institution: readonly string[];
  readonly heldOut?: readonly string[];
  readonly heldOutShare: number;
  readonly unseen?: readonly string[];
  readonly embeddings: string;
  readonly scheme: string;
  readonly language: string;
  readonly locale?: readonly string[];
  readonly ownForms?: readonly string[];
  readonly config?: string;
  readonly only: readonly ArmName[];
  readonly seeds: readonly number[];
  readonly out: string;
}

/** A quarter of the documents of each institution. */
const HELD_OUT_SHARE = 0.25;

/** `tacet experiment inventories`: what a pool of text learns, by what replaced the institutions' entities. */
export function experimentInventoriesCommand(): Command {
  return new Command('inventories')
    .description(
      "compare what institutions' entities may be replaced by, where names differ by country",
    )
    .requiredOption('--provider <path>', 'labelled notes that are public')
    .requiredOption('--institution <name=path...>', 'labelled notes of each institution')
    .option('--held-out <name=path...>', 'notes of an institution that are measured on')
    .option(
      '--held-out-share <share>',
      'of the documents of the other institutions, chosen by the seed',
      parseShare,
      HELD_OUT_SHARE,
    )
    .option('--unseen <name=path...>', 'notes of places that nobody trains on, measured as well')
    .requiredOption('--embeddings <file>', 'word vectors (.vec, .bin, GloVe text), or wink')
    .requiredOption('--scheme <name>', 'label scheme, by name or file')
    .requiredOption('--language <code>', 'of the notes')
    .option('--locale <name=list...>', "faker's locales of an institution's country, by commas")
    .option('--own-forms <name=file...>', 'how an institution writes and labels, as it states it')
    .option('--config <file>', 'training configuration, a file or a name')
    .option('--only <list>', `these arms alone, of ${ARM_NAMES.join(',')}`, arms, ARM_NAMES)
    .option('--seeds <list>', 'which ones, by commas', seedList, [1])
    .requiredOption('--out <dir>', 'a file for each arm and seed; what is there is not done again')
    .action(run);
}

async function run(options: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  await requireLanguages([options.language]);
  await useBackendOf(command);
  const {
    provider,
    institution,
    heldOut = [],
    unseen = [],
    locale = [],
    ownForms = [],
    ...rest
  } = options;
  const comparison = {
    ...rest,
    corpus: provider,
    institutions: namedBy('--institution', institution),
    heldOut: namedBy('--held-out', heldOut),
    unseen: namedBy('--unseen', unseen),
    locales: namedBy('--locale', locale).map(([name, list]) => [name, list.split(',')] as const),
    ownForms: namedBy('--own-forms', ownForms),
    config: await readConfig(options.config),
  };
  const results: ArmResult[] = [];
  for await (const result of compareInventories(comparison, context)) {
    results.push(result);
    context.say(`${result.arm}, seed ${result.seed}: ${result.epochs} epochs`);
  }
  context.result(results, tablesOf(results));
}

/** A table for each place: arms by rows, means over seeds. */
function tablesOf(results: readonly ArmResult[]): string[] {
  const places = Object.keys(results[0]?.sites ?? {});
  return places.flatMap((place) => {
    const types = Object.keys(results[0]?.sites[place]?.byType ?? {});
    const low = LOW_THRESHOLDS.flatMap((threshold) => [
      `F1 at ${threshold}`,
      `recall at ${threshold}`,
    ]);
    const head = [place, 'seeds', 'token F1', 'recall', 'entity F1', ...low, ...types];
    const names = ARM_NAMES.filter((name) => results.some(({ arm }) => arm === name));
    const rows = names.map((name) => {
      const own = results
        .filter(({ arm }) => arm === name)
        .flatMap(({ sites }) => sites[place] ?? []);
      const values = [
        own.map(({ binaryToken }) => binaryToken.f1.value),
        own.map(({ binaryToken }) => binaryToken.recall.value),
        own.map(({ entity }) => entity.f1.value),
        ...LOW_THRESHOLDS.flatMap((_, i) => [
          own.map(({ low }) => (low[i] as MeasuredScore).f1.value),
          own.map(({ low }) => (low[i] as MeasuredScore).recall.value),
        ]),
        ...types.map((type) => own.flatMap(({ byType }) => byType[type]?.recall ?? [])),
      ];
      return [name, `${own.length}`, ...values.map((each) => hundredths(meanOf(each)))];
    });
    return [...alignedTable([head, ...rows]), ''];
  });
}

function arms(text: string): ArmName[] {
  return text.split(',').map((name) => {
    const known = ARM_NAMES.find((each) => each === name.trim());
    if (known) return known;
    throw new InvalidArgumentError(`expected some of ${ARM_NAMES.join(', ')}`);
  });
}
