import { type LocalConfig, LocalTraining } from '../../models/federation/local-training.js';
import { epsilonOf } from '../../models/federation/privacy-accounting.js';
import { mechanismOf, privacyFor, privateSteps } from '../../models/federation/private-training.js';
import { RoundAverage } from '../../models/federation/round-average.js';
import { FESTAG_SELECTION, SelectiveWeights } from '../../models/federation/selective-sgd.js';
import type { DeidentifierNetwork } from '../../models/networks/deidentifier-network.js';
import { textsOf } from '../../models/networks/text-network.js';
import { Random } from '../../models/tensor/random.js';
import type { Document } from '../../models/text/document.js';
import type { LabelScheme } from '../../models/text/label-scheme.js';
import type { TrainingConfig } from '../../models/training/configuration/config.js';
import { TacetError } from '../../proto/errors.js';
import { ALL, type Holder, type Procedure, runProcedure } from '../federation/federated.js';
import { partSites, type Site } from '../runs/sites.js';
import type { Work } from '../runs/subject.js';
import type { MatrixMaterial } from './matrix.js';
import { placeCopies } from './place-copies.js';
import { toldFromUpdates } from './sharing-attack.js';
import {
  NOTHING,
  NOTHING_LEAVES,
  type Shared,
  type SharingOptions,
  WEIGHTS_LEAVE,
} from './sharing-result.js';
import type { Together } from './sharing-way.js';
import { type SiteScores, scoresBySite } from './site-scores.js';
import { untrainedNetworks } from './untrained-networks.js';

/** Of selective SGD what the server holds is looked at afterwards. */
type Observed =
  | Exclude<Procedure, { way: 'selective' }>
  | Required<Extract<Procedure, { way: 'selective' }>>;

/** A place with a network of its own, over its notes. */
interface Worker extends Holder {
  readonly network: DeidentifierNetwork;
}

/** Trains wherever there are notes. What leaves are changes of weights. */
export async function learnTogether(
  way: Together,
  material: MatrixMaterial,
  options: SharingOptions,
  work: Work,
): Promise<Shared> {
  const { scheme } = material;
  const { config, rounds } = options;
  const random = new Random(config.seed);
  const { learned, measured } = partSites(options, random);
  const { vocabulary, create } = untrainedNetworks(material, config);
  const local = localConfig(config);
  const workers: Worker[] = [];
  for (const site of learned)
    workers.push(await workerOf(site, create(), scheme, local, options, random));
  try {
    const [some] = workers;
    if (!some) throw new TacetError('usage', 'nobody shares anything: name a place with --site');
    const { procedure, ...promised } = procedureOf(way, options, some.training.weights(), random);
    const holders = await holdersOf(procedure, workers, options, random, work);
    const [first = some] = holders;
    const began = first.training.weights();
    const everybody = { workers: holders, central: { ...first, name: ALL } };
    const { training: common } = commonHolder(procedure, holders);
    const average = averageOver(procedure, holders, began, config);
    let bytes = 0;
    for await (const score of runProcedure(procedure, everybody, rounds, random.fork(way), work)) {
      bytes += score.bytesUp;
      average?.add(common.weights());
    }
    if (average) common.load(average.weights);
    const sites: Record<string, SiteScores> = {};
    for (const [{ network }, places] of measuredBy(procedure, holders, measured)) {
      const { deidentifier } = network;
      Object.assign(sites, scoresBySite({ deidentifier, vocabulary, scheme }, places, work));
    }
    const attack = () => toldFromUpdates(procedure, began, material, options, local, work);
    return { leaves: WEIGHTS_LEAVE, bytes, rounds, ...promised, sites, attack };
  } finally {
    for (const { training } of workers) training.dispose();
  }
}

/** What private averaging begins with, measured as it is: a network of the provider's notes. */
export async function learnPublicNotes(
  material: MatrixMaterial,
  options: SharingOptions,
  work: Work,
): Promise<Shared> {
  const { scheme } = material;
  const { config, provider, rounds } = options;
  if (!provider) throw new TacetError('usage', 'nothing is public: name notes with --provider');
  const random = new Random(config.seed);
  const { measured } = partSites(options, random);
  const { vocabulary, create } = untrainedNetworks(material, config);
  const local = localConfig(config);
  const worker = await workerOf(provider, create(), scheme, local, options, random);
  try {
    await publicEpochs(worker, rounds, random, work.signal);
    const { deidentifier } = worker.network;
    const sites = scoresBySite({ deidentifier, vocabulary, scheme }, measured, work);
    return { ...NOTHING_LEAVES, sites };
  } finally {
    worker.training.dispose();
  }
}

async function publicEpochs(
  { training }: Holder,
  epochs: number,
  random: Random,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let epoch = 1; epoch <= epochs; epoch++)
    await training.epoch(random.fork(`public/${epoch}`), signal);
}

function localConfig({ learner: { learningRate, clipNorm } }: TrainingConfig): LocalConfig {
  return { optimiser: { kind: 'adam', learningRate, clipNorm }, loss: 'mean' };
}

/** Its notes, and copies of them with other entities of its own, as many as the configuration draws. */
async function workerOf(
  site: Site,
  network: DeidentifierNetwork,
  scheme: LabelScheme,
  local: LocalConfig,
  options: SharingOptions,
  random: Random,
): Promise<Worker> {
  const read = (notes: readonly Document[]) =>
    textsOf(notes, scheme).map((text) => network.read(text));
  const copies = await placeCopies(site, scheme, options, random);
  const training = new LocalTraining(network, read(site.documents), local, copies.map(read));
  return { name: site.name, network, training, heldOut: [] };
}

/** Whose network is everybody's after a round; of selective SGD, which leaves each its own, the first. */
function commonHolder<H extends Holder>({ way }: Procedure, holders: readonly H[]): H {
  return (way === 'round-robin' ? holders.at(-1) : holders[0]) as H;
}

/** Undefined where no weights are averaged, or everybody has others. */
function averageOver(
  procedure: Procedure,
  holders: readonly Holder[],
  began: Float32Array,
  { learner: { averaging = 0 } }: TrainingConfig,
): RoundAverage | undefined {
  if (averaging === 0 || procedure.way === 'selective') return undefined;
  return new RoundAverage(began, averaging ** stepsOf(procedure, holders));
}

/** Of the optimiser, from one round's weights to the next one's. */
function stepsOf(procedure: Procedure, holders: readonly Holder[]): number {
  if (procedure.way === 'private-averaging') return privateSteps(procedure.privacy);
  const texts = holders.reduce((sum, { training }) => sum + training.textsPerEpoch, 0);
  return procedure.way === 'round-robin' ? texts : texts / holders.length;
}

/** Networks as they are to be measured, each with its places, one after another. */
function* measuredBy(
  procedure: Observed,
  holders: readonly Worker[],
  measured: readonly Site[],
): Generator<readonly [Worker, readonly Site[]]> {
  const first = commonHolder(procedure, holders);
  if (procedure.way !== 'selective') {
    yield [first, measured];
    return;
  }
  // Each place has its own network; who took no part has what the server holds.
  const names = new Set(holders.map(({ name }) => name));
  for (const worker of holders) yield [worker, measured.filter(({ name }) => name === worker.name)];
  first.training.load(procedure.server.weights);
  yield [first, measured.filter(({ name }) => !names.has(name))];
}

/**
 * Who trains together, from equal weights. What is public needs no noise: in private averaging the provider's notes are
 * learned from first, for as many epochs as there are rounds, and the others go on from there.
 */
async function holdersOf<H extends Holder>(
  { way }: Procedure,
  workers: readonly H[],
  { provider, rounds }: SharingOptions,
  random: Random,
  { signal }: Work,
): Promise<readonly H[]> {
  const known = workers.find(({ name }) => name === provider?.name);
  if (way !== 'private-averaging' || known === undefined) return workers;
  await publicEpochs(known, rounds, random, signal);
  const others = workers.filter((worker) => worker !== known);
  for (const { training } of others) training.load(known.training.weights());
  return others;
}

function procedureOf(
  way: Together,
  { guarantee, rounds, privateRate }: SharingOptions,
  initial: Float32Array,
  random: Random,
): { readonly procedure: Observed } & Pick<Shared, 'guarantee' | 'privacy'> {
  if (way === 'round robin') return { procedure: { way: 'round-robin' }, guarantee: NOTHING };
  if (way === 'averaging') return { procedure: { way: 'averaging' }, guarantee: NOTHING };
  if (way === 'selective')
    return {
      procedure: { way, selection: FESTAG_SELECTION, server: new SelectiveWeights(initial) },
      guarantee: NOTHING,
    };
  const privacy = privacyFor(guarantee, rounds, privateRate);
  const { samplingRate, clipNorm, noiseMultiplier } = privacy;
  const { delta } = guarantee;
  const epsilon = epsilonOf(mechanismOf(privacy, rounds), delta);
  return {
    procedure: { way: 'private-averaging', privacy, draws: random.fork('noise') },
    guarantee: `epsilon ${epsilon.toFixed(2)}, delta ${delta}, a note`,
    privacy: { epsilon, delta, samplingRate, clipNorm, noiseMultiplier, epochs: rounds },
  };
}
