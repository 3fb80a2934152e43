/** Several holders of texts, and what each way of training together makes of one split of them. */
import { Vocabulary } from '../models/embeddings/vocabulary.js';
import {
  ADAM_TRAINING,
  LocalTraining,
  type TrainingSettings,
  withSettings,
} from '../models/federation/local-training.js';
import { epsilonOf, type Guarantee } from '../models/federation/privacy-accounting.js';
import { mechanismOf, privacyFor } from '../models/federation/private-training.js';
import { FESTAG_SELECTION } from '../models/federation/selective-sgd.js';
import {
  OWN_TRAINING,
  type TextNetworkName,
  textNetwork,
} from '../models/federation/text-networks.js';
import { textsOf } from '../models/networks/text-network.js';
import { Random } from '../models/tensor/random.js';
import type { Document } from '../models/text/document.js';
import { ALL, type EpochScore, type Holders, type Procedure, runProcedure } from './federated.js';
import type { Material, Work } from './subject.js';

/** As the paper names its experiments, and what stands beside them. */
export const FEDERATED_EXPERIMENTS: readonly string[] = [
  ...['A', 'B', 'C_0.1', 'C_0.5', 'D'],
  ...['averaging', 'private averaging'],
];

export interface FederatedOptions {
  readonly network: TextNetworkName;
  /** Those of one holder each, which other networks than averaging's train as theirs was trained. */
  readonly sets: readonly (readonly Document[])[];
  readonly epochs: number;
  readonly seed: number;
  /** In place of the rate and the loss that the network comes with. */
  readonly training?: TrainingSettings | undefined;
  /** Of private averaging, for each text of each holder. */
  readonly guarantee: Guarantee;
  /** Ends an experiment after the epoch in which they pass. */
  readonly minutes?: number | undefined;
}

export interface FederatedResult {
  readonly experiment: string;
  readonly seed: number;
  readonly network: TextNetworkName;
  readonly workers: number;
  readonly weights: number;
  readonly epochs: readonly EpochScore[];
  /** Of all epochs, scoring included. */
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  /** What holds for every text; null where nothing does. */
  readonly guarantee: (Guarantee & { readonly noiseMultiplier: number }) | null;
}

/** Trains and scores one experiment. Every network of one seed starts alike. */
export async function federatedExperiment(
  experiment: string,
  { embeddings, scheme, heldOut }: Pick<Material, 'embeddings' | 'scheme' | 'heldOut'>,
  options: FederatedOptions,
  { signal, progress }: Work,
  say: (score: EpochScore) => void = () => undefined,
): Promise<FederatedResult> {
  const { sets, seed, network: name, minutes = Number.POSITIVE_INFINITY } = options;
  const vocabulary = new Vocabulary(embeddings);
  const isAveraging = experiment.endsWith('averaging');
  const config = isAveraging
    ? ADAM_TRAINING
    : withSettings(OWN_TRAINING[name], options.training ?? {});
  const texts = (documents: readonly Document[]) => textsOf(documents, scheme);
  const random = new Random(seed);
  const holder = (of: string, documents: readonly Document[]) => {
    const network = textNetwork(name, scheme, vocabulary, random.fork('initialise'));
    const read = texts(documents).map((text) => network.read(text));
    return {
      name: of,
      training: new LocalTraining(network, read, config),
      heldOut: texts(heldOut).map((text) => network.read(text)),
    };
  };
  // Nobody needs a network that an experiment does not train.
  const isCentral = experiment === 'A';
  const holders: Holders = {
    workers: isCentral ? [] : sets.map((set, i) => holder(`worker ${i + 1}`, set)),
    central: holder(ALL, isCentral ? sets.flat() : []),
  };
  const all = [...holders.workers, holders.central];
  const weights = holders.central.training.weights().length;
  const { procedure, guarantee } = procedureOf(experiment, options, random);
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const epochs: EpochScore[] = [];
  const wall = () => (performance.now() - start) / 1000;
  const perEpoch =
    isCentral || !['selective', 'isolated'].includes(procedure.way) ? 1 : sets.length;
  try {
    const scores = runProcedure(procedure, holders, options.epochs, random.fork(experiment), {
      signal,
      progress,
    });
    for await (const score of scores) {
      epochs.push(score);
      say(score);
      if (epochs.length % perEpoch === 0 && wall() > 60 * minutes) break;
    }
  } finally {
    for (const { training } of all) training.dispose();
  }
  const { user, system } = process.cpuUsage(cpu);
  return {
    ...{ experiment, seed, network: name, workers: sets.length, epochs, guarantee },
    weights,
    ...{ wallSeconds: wall(), cpuSeconds: (user + system) / 1e6 },
  };
}

function procedureOf(
  experiment: string,
  { epochs, guarantee }: FederatedOptions,
  random: Random,
): { readonly procedure: Procedure; readonly guarantee: FederatedResult['guarantee'] } {
  const plain = (procedure: Procedure) => ({ procedure, guarantee: null });
  if (experiment === 'A') return plain({ way: 'central' });
  if (experiment === 'B') return plain({ way: 'round-robin' });
  if (experiment === 'D') return plain({ way: 'isolated' });
  if (experiment === 'averaging') return plain({ way: 'averaging' });
  if (experiment.startsWith('C_')) {
    const selection = { ...FESTAG_SELECTION, downloadShare: Number(experiment.slice(2)) };
    return plain({ way: 'selective', selection });
  }
  const privacy = privacyFor(guarantee, epochs);
  const spent = epsilonOf(mechanismOf(privacy, epochs), guarantee.delta);
  const { noiseMultiplier } = privacy;
  return {
    procedure: { way: 'private-averaging', privacy, draws: random.fork('noise') },
    guarantee: { epsilon: spent, delta: guarantee.delta, noiseMultiplier },
  };
}
