import path from 'node:path';
import { Command } from 'commander';
import { PRIVATE_RATE } from '../../../models/federation/private-training.js';
import { requireLanguages } from '../../../models/surrogates/locale-entities.js';
import { writeAtomically } from '../../../platform/files/draft-file.js';
import { alignedTable, markdownTable } from '../../../study/report/text-table.js';
import { thisMachine } from '../../../study/runs/machine.js';
import { sharingPage } from '../../../study/sharing/sharing-page.js';
import { sharingTable } from '../../../study/sharing/sharing-table.js';
import { readEntityList } from '../../workflows/inventory-files.js';
import { compareSharing } from '../../workflows/train/sharing-comparison.js';
import { useBackendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { numberOver } from '../number-over.js';
import { type PlaceOptions, placesOf, withPlaceOptions } from '../place-options.js';
import { wholeNumber } from '../whole-number.js';

interface Options extends PlaceOptions {
  readonly commonForms?: readonly string[];
  readonly locale?: readonly string[];
  readonly list?: readonly string[];
  readonly copies: number;
  readonly providerCopies: number;
  readonly rounds: number;
  readonly epsilon: number;
  readonly delta: number;
  readonly privateRate: number;
  readonly neighbours: number;
  readonly only?: string;
  readonly parts?: string;
}

/** `tacet experiment sharing`: every way of sharing, on one split. */
export function experimentSharingCommand(): Command {
  const command = new Command('sharing').description(
    'every way of sharing on one split: not at all, text, releases, training together; what leaves, what it costs; a table and a page',
  );
  return withPlaceOptions(command)
    .option('--common-forms <language...>', "common forms and names beside the provider's own")
    .option('--locale <name...>', "faker's lists beside the provider's own entities")
    .option('--list <type=file...>', 'and entities of a type, one a line')
    .option(
      '--copies <n>',
      'where entities are replaced: how often each note leaves, replaced anew',
      wholeNumber(1),
      1,
    )
    .option(
      '--provider-copies <n>',
      "how often the provider's notes are encoded",
      wholeNumber(1),
      1,
    )
    .option('--rounds <n>', 'of training together: epochs at home', wholeNumber(1), 20)
    .option('--epsilon <x>', 'of private averaging, for every note', numberOver(0), 8)
    .option('--delta <x>', 'of private averaging', numberOver(0), 1e-5)
    .option('--private-rate <x>', 'learning rate of private averaging', numberOver(0), PRIVATE_RATE)
    .option('--neighbours <n>', 'N of the pairs of words that are told apart', wholeNumber(2), 100)
    .option('--only <list>', 'these ways alone, by commas, by the names that the table has')
    .option('--parts <dir>', 'a folder for what each place learns from by each seed, a file each')
    .action(run);
}

async function run(options: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  const { epsilon, delta, commonForms: languages, locale: locales, out } = options;
  await requireLanguages(languages ?? []);
  await useBackendOf(command);
  const results = await compareSharing(
    {
      ...options,
      ...(await placesOf(options)),
      language: languages?.[0],
      sources: {
        languages,
        locales,
        lists: await Promise.all((options.list ?? []).map(readEntityList)),
      },
      guarantee: { epsilon, delta },
      copies: { provider: options.providerCopies, sites: options.copies },
      only: options.only?.split(',').map((name) => name.trim()) ?? [],
    },
    context,
  );
  const table = sharingTable(results);
  await writeAtomically(path.join(out, 'sharing.md'), `${markdownTable(table).join('\n')}\n`);
  await writeAtomically(path.join(out, 'sharing.html'), sharingPage(table));
  context.result({ machine: thisMachine(), results }, alignedTable(table));
}
