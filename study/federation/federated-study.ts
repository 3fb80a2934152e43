/** Several holders of texts, and what each way of training together makes of one split of them. */
import { Vocabulary } from '../../models/embeddings/vocabulary.js';
import {
  ADAM_TRAINING,
  LocalTraining,
  type TrainingSettings,
  withSettings,
} from '../../models/federation/local-training.js';
import { epsilonOf, type Guarantee } from '../../models/federation/privacy-accounting.js';
import { mechanismOf, privacyFor } from '../../models/federation/private-training.js';
import { FESTAG_SELECTION } from '../../models/federation/selective-sgd.js';
import {
  OWN_TRAINING,
  type TextNetworkName,
  textNetwork,
} from '../../models/federation/text-networks.js';
import { textsOf } from '../../models/networks/text-network.js';
import { Random } from '../../models/tensor/random.js';
import type { Document } from '../../models/text/document.js';
import { Stopwatch } from '../runs/stopwatch.js';
import type { Material, Work } from '../runs/subject.js';
import { requireUnseen } from '../runs/unseen.js';
import { ALL, type EpochScore, type Holders, type Procedure, runProcedure } from './federated.js';

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

/**
 * Trains and scores one experiment. Every network of one seed starts alike. Throws `corpus-invalid` where a held-out
 * document is a holder's.
 */
export async function federatedExperiment(
  experiment: string,
  material: FederatedMaterial,
  options: FederatedOptions,
  { signal, progress }: Work,
  say: (score: EpochScore) => void = () => undefined,
): Promise<FederatedResult> {
  const { sets, seed, network, minutes = Number.POSITIVE_INFINITY } = options;
  requireUnseen(sets.flat(), material.heldOut);
  const random = new Random(seed);
  const { procedure, guarantee } = procedureOf(experiment, options, random);
  const holders = holdersOf(experiment, material, options, random);
  const draws = random.fork(experiment);
  const stopwatch = new Stopwatch();
  const epochs: EpochScore[] = [];
  try {
    const weights = holders.central.training.weights().length;
    const scores = runProcedure(procedure, holders, options.epochs, draws, { signal, progress });
    for await (const score of scores) {
      epochs.push(score);
      say(score);
      const isWhole = epochs.length % networksScored(procedure, sets.length) === 0;
      if (isWhole && stopwatch.wallSeconds > 60 * minutes) break;
    }
    const { wallSeconds, cpuSeconds } = stopwatch;
    return {
      ...{ experiment, seed, network, workers: sets.length, epochs, guarantee },
      ...{ weights, wallSeconds, cpuSeconds },
    };
  } finally {
    for (const { training } of [...holders.workers, holders.central]) training.dispose();
  }
}

type FederatedMaterial = Pick<Material, 'embeddings' | 'scheme' | 'heldOut'>;

/** Training on all texts in one place, which nobody else needs a network for. */
const CENTRAL = 'A';

function holdersOf(
  experiment: string,
  { embeddings, scheme, heldOut }: FederatedMaterial,
  { sets, network: networkName, training }: FederatedOptions,
  random: Random,
): Holders {
  const vocabulary = new Vocabulary(embeddings);
  const config = experiment.endsWith('averaging')
    ? ADAM_TRAINING
    : withSettings(OWN_TRAINING[networkName], training ?? {});
  const holder = (name: string, documents: readonly Document[]) => {
    const network = textNetwork(networkName, scheme, vocabulary, random.fork('initialise'));
    const read = (some: readonly Document[]) =>
      textsOf(some, scheme).map((text) => network.read(text));
    return {
      ...{ name, training: new LocalTraining(network, read(documents), config) },
      heldOut: read(heldOut),
    };
  };
  if (experiment === CENTRAL) return { workers: [], central: holder(ALL, sets.flat()) };
  return {
    workers: sets.map((set, i) => holder(`worker ${i + 1}`, set)),
    central: holder(ALL, []),
  };
}

/** Scores of an epoch: one of each worker's network, or of the one that is everybody's. */
function networksScored({ way }: Procedure, workers: number): number {
  return way === 'selective' || way === 'isolated' ? workers : 1;
}

function procedureOf(
  experiment: string,
  { epochs, guarantee }: FederatedOptions,
  random: Random,
): { readonly procedure: Procedure; readonly guarantee: FederatedResult['guarantee'] } {
  const plain = (procedure: Procedure) => ({ procedure, guarantee: null });
  if (experiment === CENTRAL) return plain({ way: 'central' });
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
