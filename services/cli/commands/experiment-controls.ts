import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { documentsDigest } from '../../../models/text/documents-digest.js';
import { languageOfCopies } from '../../../models/training/configuration/language-of-copies.js';
import {
  CONTROLS,
  type Control,
  type ControlResults,
  measureControl,
  prepareControls,
} from '../../../study/controls/controls.js';
import { controlTables } from '../../../study/controls/controls-table.js';
import { alignedTable } from '../../../study/report/text-table.js';
import { onceMeasured } from '../../workflows/train/measured-once.js';
import { type MaterialOptions, readMaterial } from '../../workflows/train/run-material.js';
import { readConfig } from '../../workflows/train/training-config.js';
import { useBackendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { withRunMaterialOptions } from '../material-options.js';
import { wholeNumber } from '../whole-number.js';

interface Options extends MaterialOptions {
  readonly config?: string;
  readonly factors: readonly number[];
  readonly words: number;
  readonly epochs: number;
  readonly only: readonly Control[];
  readonly out: string;
}

/** `tacet experiment controls`: what Friedrich et al. 2019 tried first, and what they discuss. */
export function experimentControlsCommand(): Command {
  const command = new Command('controls').description(
    'preliminary experiments of Friedrich et al. 2019: fixed noise, what the adversary can learn, neighbours, documents put together again',
  );
  return withRunMaterialOptions(command)
    .option('--config <file>', 'training configuration, a file or a name: N, seed, networks')
    .option(
      '--factors <list>',
      "fixed noise in units of the word vectors' standard deviation",
      factors,
      [0, 0.5, 1, 2, 4],
    )
    .option('--words <n>', 'PHI words whose noisy vectors are looked up', wholeNumber(1), 500)
    .option('--epochs <n>', 'of each adversary', wholeNumber(1), 20)
    .option('--only <list>', `these alone, of ${CONTROLS.join(',')}`, controls, [...CONTROLS])
    .requiredOption('--out <dir>', 'a file for each; what is there is not done again')
    .action(run);
}

async function run(options: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  await useBackendOf(command);
  const material = await readMaterial(options, context);
  const config = await readConfig(options.config);
  const { factors, words, epochs, out } = options;
  const settings = { config, factors, words, epochs };
  const language = languageOfCopies(material, config);
  const stated = {
    ...settings,
    corpus: documentsDigest(material.documents),
    'held-out notes': documentsDigest(material.heldOut),
    embeddings: material.embeddings.identity,
    scheme: material.scheme.digest,
    ...(language !== undefined && { language }),
  };
  const notes = await prepareControls(material, config, context);
  const results: Partial<Record<Control, unknown>> = {};
  for (const control of options.only) {
    const file = path.join(out, `${control}.json`);
    results[control] = await onceMeasured(file, stated, () =>
      measureControl(control, notes, material, settings, context),
    );
    context.say(`${control}: measured`);
  }
  const tables = controlTables(results as Partial<ControlResults>);
  const lines = tables.flatMap(({ title, legend, table }) => [
    ...[title, legend, ''],
    ...alignedTable(table),
    '',
  ]);
  context.result(results, lines);
}

function factors(text: string): number[] {
  return text.split(',').map((each) => {
    const factor = Number(each);
    if (each.trim() !== '' && factor >= 0 && Number.isFinite(factor)) return factor;
    throw new InvalidArgumentError('expected numbers of 0 or more, by commas');
  });
}

function controls(text: string): Control[] {
  return text.split(',').map((name) => {
    const known = CONTROLS.find((each) => each === name.trim());
    if (known) return known;
    throw new InvalidArgumentError(`expected some of ${CONTROLS.join(', ')}`);
  });
}
