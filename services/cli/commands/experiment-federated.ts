import path from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { TrainingSettings } from '../../../models/federation/local-training.js';
import { TEXT_NETWORKS, type TextNetworkName } from '../../../models/federation/text-networks.js';
import { Random } from '../../../models/tensor/random.js';
import { documentsDigest } from '../../../models/text/documents-digest.js';
import { writeAtomically } from '../../../platform/files/draft-file.js';
import { federatedFigure } from '../../../study/federation/federated-figure.js';
import {
  FEDERATED_EXPERIMENTS,
  type FederatedResult,
  federatedExperiment,
} from '../../../study/federation/federated-study.js';
import {
  type ExperimentSummary,
  federatedSummary,
} from '../../../study/federation/federated-summary.js';
import { privateSets } from '../../../study/federation/private-sets.js';
import { FigureFiles } from '../../../study/report/figure-files.js';
import { thisMachine } from '../../../study/runs/machine.js';
import { onceMeasured } from '../../workflows/train/measured-once.js';
import { type MaterialOptions, readMaterial } from '../../workflows/train/run-material.js';
import { useBackendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { learningRateOption, lossOption } from '../local-training-options.js';
import { withMaterialOptions } from '../material-options.js';
import { numberOver } from '../number-over.js';
import { parseShare } from '../share.js';
import { wholeNumber } from '../whole-number.js';

interface Options extends MaterialOptions, TrainingSettings {
  readonly network: TextNetworkName;
  readonly workers: number;
  readonly share?: number;
  readonly epochs: number;
  readonly epsilon: number;
  readonly delta: number;
  readonly minutes?: number;
  readonly seeds: number;
  readonly only?: readonly string[];
  readonly out: string;
}

/** `tacet experiment federated`: one split, and every way of training on it together. */
export function experimentFederatedCommand(): Command {
  const command = new Command('federated').description(
    'train one tagger on the notes of several holders: together, in turn, by selective SGD, alone, averaged',
  );
  return withMaterialOptions(command)
    .addOption(
      new Option('--network <name>', 'the tagger').choices(TEXT_NETWORKS).default('festag'),
    )
    .option('--workers <n>', 'holders, each with whole notes', wholeNumber(2), 5)
    .option('--share <x>', 'of the notes, in an order drawn by chance, use this share', parseShare)
    .option('--epochs <n>', 'each sees every note once', wholeNumber(1), 200)
    .addOption(learningRateOption("in place of the tagger's own"))
    .addOption(lossOption("of a note, in place of the tagger's own"))
    .option('--epsilon <x>', 'of private averaging, for every note', numberOver(0), 8)
    .option('--delta <x>', 'of private averaging', numberOver(0), 1e-5)
    .option('--minutes <n>', 'end an experiment after the epoch in which they pass', numberOver(0))
    .option('--seeds <n>', 'how many, from 1', wholeNumber(1), 1)
    .option('--only <list>', `these alone, of ${FEDERATED_EXPERIMENTS.join(',')}`, namedExperiments)
    .requiredOption('--out <dir>', 'for federated.json, the figure, and what was measured already')
    .action(run);
}

async function run(options: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  const { signal, progress, say, result } = context;
  await useBackendOf(command);
  const material = await readMaterial(options, context);
  const { only = FEDERATED_EXPERIMENTS, out, network, epochs, minutes } = options;
  const results: FederatedResult[] = [];
  const { out: _, seeds, only: named, corpus, heldOut, ...given } = options;
  const stated = {
    ...given,
    embeddings: material.embeddings.identity,
    scheme: material.scheme.digest,
    corpus: documentsDigest(material.documents),
    'held-out notes': documentsDigest(material.heldOut),
  };
  for (let seed = 1; seed <= options.seeds; seed++) {
    const sets = setsOf(material.documents, options, seed);
    for (const experiment of only) {
      const { learningRate, loss, epsilon, delta } = options;
      const settings = {
        ...{ network, sets, epochs, seed, minutes, guarantee: { epsilon, delta } },
        training: { learningRate, loss },
      };
      const file = path.join(out, `${experiment} seed ${seed}.json`);
      results.push(
        await onceMeasured(file, stated, () =>
          federatedExperiment(experiment, material, settings, { signal, progress }, (score) =>
            say(
              `${experiment}, epoch ${score.epoch}, ${score.worker}: F1 ${percent(score.score.f1)}`,
            ),
          ),
        ),
      );
    }
  }
  // Names, and not where they lie on this machine.
  const files = Object.fromEntries(
    Object.entries({ corpus, heldOut, embeddings: given.embeddings }).map(([name, file]) => [
      name,
      path.basename(file),
    ]),
  );
  const printed = { ...given, seeds, ...(named && { only: named }), ...files };
  const experiments = federatedSummary(results);
  const summary = { machine: thisMachine(), options: printed, experiments, results };
  await writeAtomically(path.join(out, 'federated.json'), `${JSON.stringify(summary, null, 1)}\n`);
  const figures = new FigureFiles(out);
  await figures.draw('federated', federatedFigure(experiments, `Training together: ${network}`));
  result(summary, [...results.map(lineOf), ...experiments.map(costOf)]);
}

function setsOf(
  documents: Parameters<typeof privateSets>[0],
  { workers, share: used = 1 }: Options,
  seed: number,
) {
  const random = new Random(seed).fork('private sets');
  const order = [...documents];
  random.shuffle(order);
  const most = Math.max(workers, Math.round(used * order.length));
  return privateSets(order.slice(0, most), workers, random);
}

/** The last epoch, as a mean over networks, and what an epoch moved. */
function lineOf({ experiment, seed, epochs, cpuSeconds, wallSeconds, guarantee }: FederatedResult) {
  const last = epochs.at(-1)?.epoch ?? 0;
  const ends = epochs.filter(({ epoch }) => epoch === last);
  const mean = (of: (score: (typeof ends)[number]) => number) =>
    ends.reduce((sum, each) => sum + of(each), 0) / ends.length;
  const values = ends.map(({ score }) => score.f1);
  const range = `[${percent(Math.min(...values))}, ${percent(Math.max(...values))}]`;
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
  return [
    `${experiment.padEnd(18)} seed ${seed}, epoch ${last}:`,
    `F1 ${percent(mean(({ score }) => score.f1))} ${range}, recall ${percent(mean(({ score }) => score.recall))};`,
    `${megabytes(ends.reduce((sum, { bytesUp }) => sum + bytesUp, 0))} MB up,`,
    `${megabytes(ends.reduce((sum, { bytesDown }) => sum + bytesDown, 0))} MB down an epoch;`,
    `${wallSeconds.toFixed(0)} s, ${cpuSeconds.toFixed(0)} s of CPU`,
    ...(guarantee ? [`; epsilon ${guarantee.epsilon.toFixed(2)} at ${guarantee.delta}`] : []),
  ].join(' ');
}

/** What an epoch of all holders costs, beside each of them training alone. */
function costOf({ experiment, epochSeconds, timesLocal }: ExperimentSummary): string {
  return [
    `${experiment.padEnd(18)} ${epochSeconds.toFixed(2)} s of training an epoch, the median`,
    ...(timesLocal === null ? [] : [`${timesLocal.toFixed(2)} times D, each alone`]),
  ].join('; ');
}

function percent(value: number): string {
  return (100 * value).toFixed(2);
}

function namedExperiments(text: string): string[] {
  return text.split(',').map((name) => {
    const known = FEDERATED_EXPERIMENTS.find((each) => each === name.trim());
    if (known) return known;
    throw new InvalidArgumentError(`expected some of ${FEDERATED_EXPERIMENTS.join(', ')}`);
  });
}
