import path from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { TrainingSettings } from '../../../models/federation/local-training.js';
import { TEXT_NETWORKS, type TextNetworkName } from '../../../models/federation/text-networks.js';
import { documentsDigest } from '../../../models/text/documents-digest.js';
import { writeAtomically } from '../../../platform/files/draft-file.js';
import {
  attackedWay,
  UPDATE_WAYS,
  type UpdateStudyResult,
  type UpdateWay,
} from '../../../study/federation/update-study.js';
import { updateTable } from '../../../study/federation/update-table.js';
import { alignedTable, markdownTable } from '../../../study/report/text-table.js';
import { thisMachine } from '../../../study/runs/machine.js';
import { onceMeasured } from '../../workflows/train/measured-once.js';
import { type NotesOptions, readNotes } from '../../workflows/train/run-material.js';
import { useBackendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { learningRateOption, lossOption } from '../local-training-options.js';
import { numberOver } from '../number-over.js';
import { seedList } from '../seed-list.js';
import { wholeNumber } from '../whole-number.js';

interface Options extends NotesOptions, TrainingSettings {
  readonly network: TextNetworkName;
  readonly holders: number;
  readonly notes: number;
  readonly after: readonly number[];
  readonly neighbours: number;
  readonly pairs: number;
  readonly draws: number;
  readonly inversions: number;
  readonly inversionSteps: number;
  readonly inversionMoves: number;
  readonly rounds: number;
  readonly epsilon: number;
  readonly delta: number;
  readonly seeds: readonly number[];
  readonly only?: readonly UpdateWay[];
  readonly out: string;
}

/** `tacet experiment updates`: what the changes of weights that leave a holder say of its notes. */
export function experimentUpdatesCommand(): Command {
  return new Command('updates')
    .description(
      'attack what leaves in training together: words of a note, notes of a holder, from changes of weights',
    )
    .requiredOption('--corpus <path>', 'labelled notes: of holders, of nobody, and known ones')
    .requiredOption('--embeddings <file>', 'word vectors (.vec, .bin, GloVe text), or wink')
    .requiredOption('--scheme <name>', 'label scheme, by name or file')
    .addOption(
      new Option('--network <name>', 'the tagger').choices(TEXT_NETWORKS).default('festag'),
    )
    .addOption(learningRateOption("in place of the tagger's own, but for averaging"))
    .addOption(lossOption("of a note, in place of the tagger's own, but for averaging"))
    .option('--holders <n>', 'holders, each with whole notes', wholeNumber(1), 5)
    .option('--notes <n>', 'of each holder', wholeNumber(1), 5)
    .option('--after <list>', 'attack the round after so many, by commas', roundList, [0])
    .option('--neighbours <n>', 'N of the pairs', wholeNumber(2), 100)
    .option('--pairs <n>', 'of a note at most', wholeNumber(1), 10)
    .option('--draws <n>', 'updates that an attacker makes of known notes', wholeNumber(2), 8)
    .option('--inversions <n>', 'updates of a way whose words are inverted', wholeNumber(0), 0)
    .option('--inversion-steps <n>', 'of vectors, a round of an inversion', wholeNumber(0), 20)
    .option('--inversion-moves <n>', 'of words, a round of an inversion', wholeNumber(0), 200)
    .option('--rounds <n>', 'that private averaging is for', wholeNumber(1), 20)
    .option('--epsilon <x>', 'of private averaging, for every note', numberOver(0), 8)
    .option('--delta <x>', 'of private averaging', numberOver(0), 1e-5)
    .option('--seeds <list>', 'which ones, by commas', seedList, [1])
    .option('--only <list>', `these alone, of ${UPDATE_WAYS.join(',')}`, ways)
    .requiredOption(
      '--out <dir>',
      'for updates.json and updates.md; what is there is not done again',
    )
    .action(run);
}

async function run(options: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  await useBackendOf(command);
  const material = await readNotes(options, context);
  const { epsilon, delta, learningRate, loss, only = UPDATE_WAYS, out } = options;
  const results: UpdateStudyResult[] = [];
  for (const seed of options.seeds)
    for (const way of only)
      for (const after of options.after) {
        const file = path.join(out, `${way} after ${after} seed ${seed}.json`);
        const settings = {
          ...options,
          ...{ seed, after, guarantee: { epsilon, delta }, settings: { learningRate, loss } },
        };
        const { out: _, seeds: __, only: ___, after: ____, corpus, ...given } = options;
        const stated = {
          ...given,
          embeddings: material.embeddings.identity,
          scheme: material.scheme.digest,
          corpus: documentsDigest(material.documents),
        };
        const attack = () => attackedWay(way, material, settings, context);
        results.push(await onceMeasured(file, stated, attack));
        context.say(`${way}, after ${after} rounds, seed ${seed}: done`);
      }
  const table = updateTable(results);
  const summary = { machine: thisMachine(), results };
  await writeAtomically(path.join(out, 'updates.json'), `${JSON.stringify(summary, null, 1)}\n`);
  await writeAtomically(path.join(out, 'updates.md'), `${markdownTable(table).join('\n')}\n`);
  context.result(summary, alignedTable(table));
}

function ways(text: string): UpdateWay[] {
  return text.split(',').map((name) => {
    const known = UPDATE_WAYS.find((each) => each === name.trim());
    if (known) return known;
    throw new InvalidArgumentError(`expected some of ${UPDATE_WAYS.join(', ')}`);
  });
}

function roundList(text: string): number[] {
  return text.split(',').map((each) => wholeNumber(0)(each.trim()));
}
