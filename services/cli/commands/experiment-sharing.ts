import path from 'node:path';
import { Command } from 'commander';
import { writeAtomically } from '../../../platform/files/draft-file.js';
import { thisMachine } from '../../../study/machine.js';
import { sharingPage } from '../../../study/sharing-page.js';
import { sharingTable } from '../../../study/sharing-table.js';
import { alignedTable, markdownTable } from '../../../study/text-table.js';
import { compareSharing } from '../../workflows/train/sharing-comparison.js';
import { readConfig } from '../../workflows/train/training-config.js';
import { useBackendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { namedBy } from '../named-values.js';
import { numberOver } from '../number-over.js';
import { seedList } from '../seed-list.js';
import { parseShare } from '../share.js';
import { wholeNumber } from '../whole-number.js';

interface Options {
  readonly provider?: string;
  readonly site: readonly string[];
  readonly heldOut?: readonly string[];
  readonly heldOutShare: number;
  readonly unseen?: readonly string[];
  readonly representation?: readonly string[];
  readonly embeddings: string;
  readonly scheme: string;
  readonly commonForms?: readonly string[];
  readonly locale?: readonly string[];
  readonly rounds: number;
  readonly epsilon: number;
  readonly delta: number;
  readonly config?: string;
  readonly seeds: readonly number[];
  readonly only?: string;
  readonly out: string;
}

/** A quarter of the documents of each place. */
const HELD_OUT_SHARE = 0.25;

/** `tacet experiment sharing`: every way of sharing, on one split. */
export function experimentSharingCommand(): Command {
  return new Command('sharing')
    .description(
      'every way of sharing on one split: not at all, text, releases, training together; what leaves, what it costs; a table and a page',
    )
    .option('--provider <name=path>', 'labelled notes that are public')
    .requiredOption('--site <name=path...>', 'labelled notes of each place that shares')
    .option('--held-out <name=path...>', 'notes of a place that are measured on')
    .option(
      '--held-out-share <share>',
      'of the documents of the other places, chosen by the seed',
      parseShare,
      HELD_OUT_SHARE,
    )
    .option('--unseen <name=path...>', 'notes of places that nobody trains on, measured as well')
    .option('--representation <name=dir...>', 'frozen representations, two rows each')
    .requiredOption('--embeddings <file>', 'word vectors (.vec, .bin, GloVe text), or wink')
    .requiredOption('--scheme <name>', 'label scheme, by name or file')
    .option('--common-forms <language...>', "common forms and names beside the provider's own")
    .option('--locale <name...>', "faker's lists beside the provider's own entities")
    .option('--rounds <n>', 'of training together: epochs at home', wholeNumber(1), 20)
    .option('--epsilon <x>', 'of private averaging, for every note', numberOver(0), 8)
    .option('--delta <x>', 'of private averaging', numberOver(0), 1e-5)
    .option('--config <file>', 'training configuration, a file or a name')
    .option('--seeds <list>', 'which ones, by commas', seedList, [1])
    .option('--only <list>', 'these ways alone, by commas, by the names that the table has')
    .requiredOption('--out <dir>', 'a file for each way and seed; what is there is not done again')
    .action(run);
}

async function run(options: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  await useBackendOf(command);
  const { provider, site, heldOut = [], unseen = [], representation = [], ...rest } = options;
  const { epsilon, delta, commonForms: languages, locale: locales, out } = options;
  const results = await compareSharing(
    {
      ...rest,
      ...{ languages, locales, guarantee: { epsilon, delta } },
      only: options.only?.split(',').map((name) => name.trim()) ?? [],
      provider: namedBy('--provider', provider === undefined ? [] : [provider]),
      sites: namedBy('--site', site),
      heldOut: namedBy('--held-out', heldOut),
      unseen: namedBy('--unseen', unseen),
      representations: namedBy('--representation', representation),
      config: await readConfig(options.config),
    },
    context,
  );
  const table = sharingTable(results);
  await writeAtomically(path.join(out, 'sharing.md'), `${markdownTable(table).join('\n')}\n`);
  await writeAtomically(path.join(out, 'sharing.html'), sharingPage(table));
  context.result({ machine: thisMachine(), results }, alignedTable(table));
}
