/**
 * Every way of sharing on one split: what leaves a place, how often it has to be online, what is promised, and what
 * the de-identifier that comes of it finds in held-out documents of every place.
 */
import { Vocabulary } from '../models/embeddings/vocabulary.js';
import { type LocalConfig, LocalTraining } from '../models/federation/local-training.js';
import { epsilonOf, type Guarantee } from '../models/federation/privacy-accounting.js';
import { mechanismOf, privacyFor } from '../models/federation/private-training.js';
import { FESTAG_SELECTION } from '../models/federation/selective-sgd.js';
import { DeidentifierNetwork } from '../models/networks/deidentifier-network.js';
import { textsOf } from '../models/networks/text-network.js';
import { createInventory } from '../models/surrogates/create-inventory.js';
import { Inventory } from '../models/surrogates/inventory.js';
import { replaceEntities } from '../models/surrogates/replacement.js';
import { Random } from '../models/tensor/random.js';
import type { Document } from '../models/text/document.js';
import { tokenise } from '../models/text/tokeniser.js';
import { TacetError } from '../proto/errors.js';
import { ALL, type Holder, type Procedure, runProcedure } from './federated.js';
import {
  type MatrixMaterial,
  type MatrixOptions,
  type MatrixRow,
  measureRow,
  type NamedRepresentation,
  partSites,
} from './matrix.js';
import {
  CHANCE,
  IN_CLEAR,
  toldFromReleases,
  toldFromUpdates,
  type WordTold,
} from './sharing-attack.js';
import { type SiteScores, siteScores } from './site-scores.js';
import type { Site } from './sites.js';
import type { Work } from './subject.js';

/** One way in which places share what they know. */
export type SharingWay =
  | { readonly way: 'alone'; readonly site: string }
  | { readonly way: 'text' | 'replaced text' }
  | { readonly way: 'released' | 'replaced and released'; readonly through: NamedRepresentation }
  | { readonly way: 'round robin' | 'selective' | 'averaging' | 'private averaging' };

export interface SharingOptions extends Omit<MatrixOptions, 'treated'> {
  /** Of training together: how often every place sees each of its notes. */
  readonly rounds: number;
  /** Of private averaging. */
  readonly guarantee: Guarantee;
  readonly privateRate: number;
  /** N of the pairs of words that an attacker tells apart. */
  readonly neighbours: number;
  /** As of `InventorySources`, beside the entities of the provider's notes. */
  readonly languages?: readonly string[] | undefined;
  readonly locales?: readonly string[] | undefined;
}

export interface SharingResult {
  readonly row: string;
  readonly seed: number;
  /** What leaves a place, in words. */
  readonly leaves: string;
  /** Of all places together. */
  readonly bytes: number;
  /** How often a place has to be online. */
  readonly rounds: number;
  /** What is promised, whatever an attacker knows. */
  readonly guarantee: string;
  /** How often a PHI word is told from a neighbour by what leaves; null where nothing does, or no word can move. */
  readonly told: WordTold | null;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  /** By name, of held-out documents. */
  readonly sites: Readonly<Record<string, SiteScores>>;
}

/** The same as files are named. */
export function sharingName(way: SharingWay): string {
  if (way.way === 'alone') return `alone ${way.site}`;
  return 'through' in way ? `${way.way} ${way.through.name}` : way.way;
}

/** All ways: of a representation those that release through it. */
export function sharingWays(
  places: readonly string[],
  representations: readonly NamedRepresentation[],
): SharingWay[] {
  return [
    ...places.map((site) => ({ way: 'alone', site }) as const),
    ...[{ way: 'text' } as const, { way: 'replaced text' } as const],
    ...representations.flatMap((through) => [
      { way: 'released', through } as const,
      { way: 'replaced and released', through } as const,
    ]),
    ...(['round robin', 'selective', 'averaging', 'private averaging'] as const).map((way) => ({
      way,
    })),
  ];
}

/** Trains and measures one way. The seed of the configuration parts documents too, alike in every way. */
export async function measureSharing(
  way: SharingWay,
  material: MatrixMaterial,
  options: SharingOptions,
  work: Work,
): Promise<SharingResult> {
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const measured = await measureWay(way, material, options, work);
  const { user, system } = process.cpuUsage(cpu);
  return {
    ...{ row: sharingName(way), seed: options.config.seed, ...measured },
    wallSeconds: (performance.now() - start) / 1000,
    cpuSeconds: (user + system) / 1e6,
  };
}

type Measured = Pick<SharingResult, 'leaves' | 'bytes' | 'rounds' | 'guarantee' | 'told' | 'sites'>;

const NOTHING = 'none';
const REPLACED = 'labelled entities: chance';

async function measureWay(
  way: SharingWay,
  material: MatrixMaterial,
  options: SharingOptions,
  work: Work,
): Promise<Measured> {
  const isReplaced = way.way.startsWith('replaced');
  const treated = isReplaced ? await replacing(material, options) : undefined;
  const parts = { ...options, ...(treated && { treated }) };
  if (!isPooled(way)) return trainTogether(way.way, material, options, work);
  const { sites } = await measureRow(rowOf(way), material, parts, work);
  if (way.way === 'alone')
    return { leaves: 'nothing', bytes: 0, rounds: 0, guarantee: 'all', told: null, sites };
  const shared = ownDocuments(parts);
  const guarantee = isReplaced ? REPLACED : NOTHING;
  if (!('through' in way)) {
    const bytes = sumOf(shared, ({ text }) => Buffer.byteLength(text));
    return {
      leaves: isReplaced ? 'text, entities replaced' : 'text',
      bytes,
      rounds: 1,
      guarantee,
      told: isReplaced ? CHANCE : IN_CLEAR,
      sites,
    };
  }
  const { dimension } = way.through.representation.config;
  // Numbers of 16 bits, and a label.
  const bytes = sumOf(shared, ({ text }) => tokenise(text).length * (2 * dimension + 1));
  return {
    leaves: 'noisy vectors, labels',
    bytes,
    rounds: 1,
    guarantee: `${guarantee}; see its audit`,
    told: isReplaced ? CHANCE : await toldFromReleases(way.through, material, options, work),
    sites,
  };
}

type Pooled = Extract<SharingWay, { way: 'alone' } | { way: 'text' | 'replaced text' }>;
type Together = 'round robin' | 'selective' | 'averaging' | 'private averaging';

function isPooled(
  way: SharingWay,
): way is Pooled | Extract<SharingWay, { through: NamedRepresentation }> {
  return way.way === 'alone' || way.way.endsWith('text') || way.way.endsWith('released');
}

function rowOf(way: Pooled | Extract<SharingWay, { through: NamedRepresentation }>): MatrixRow {
  if (way.way === 'alone') return way;
  return 'through' in way ? { way: 'released', through: way.through } : { way: 'text' };
}

/** What institutions share; the provider's notes are public. */
function ownDocuments(options: MatrixOptions): Document[] {
  const { learned } = partSites(options, new Random(options.config.seed));
  const own = learned.filter(({ name }) => name !== options.provider?.name);
  return own.flatMap(({ documents }) => documents);
}

/** Puts other entities of the same types, from the provider's notes and public lists, in the place of all. */
async function replacing(
  { scheme }: MatrixMaterial,
  { provider, languages, locales, config }: SharingOptions,
): Promise<(documents: readonly Document[]) => readonly Document[]> {
  const corpora = provider ? [provider] : [];
  const inventory = new Inventory(await createInventory(scheme, { corpora, languages, locales }));
  return (documents) => {
    // Of the documents alone, so that they are replaced alike however often that is asked for.
    const draws = new Random(config.seed).fork('surrogates');
    return documents.map((document) => replaceEntities(document, scheme, inventory, draws));
  };
}

async function trainTogether(
  way: Together,
  material: MatrixMaterial,
  options: SharingOptions,
  work: Work,
): Promise<Measured> {
  const { embeddings, scheme } = material;
  const { config, rounds } = options;
  const random = new Random(config.seed);
  const { learned, measured } = partSites(options, random);
  const vocabulary = new Vocabulary(embeddings, { characters: true });
  const { learningRate, clipNorm } = config.learner;
  const local: LocalConfig = { optimiser: { kind: 'adam', learningRate, clipNorm }, loss: 'mean' };
  const sizes = { inputDimension: vocabulary.dimension, labels: scheme.labels.length };
  const workers = learned.map(({ name, documents }: Site) => {
    const network = new DeidentifierNetwork(
      { ...config.deidentifier, ...sizes },
      vocabulary,
      random.fork('initialise'),
    );
    const texts = textsOf(documents, scheme).map((text) => network.read(text));
    return {
      name,
      network,
      training: new LocalTraining(network, texts, local),
      heldOut: [],
    };
  });
  const { procedure, guarantee } = procedureOf(way, options, random);
  const holders = await holdersOf(procedure, workers, options, random, work);
  const [first] = holders;
  if (!first) throw new TacetError('usage', 'nobody shares anything: name a place with --site');
  const began = first.training.weights();
  const told = await toldFromUpdates(procedure, began, material, options, local, work);
  const everybody = { workers: holders, central: { ...first, name: ALL } };
  let bytes = 0;
  for await (const score of runProcedure(procedure, everybody, rounds, random.fork(way), work))
    bytes += score.bytesUp;
  // Of selective SGD each place has its own network; elsewhere whoever was last has everybody's.
  const last = way === 'round robin' ? (holders.at(-1) ?? first) : first;
  const sites: Record<string, SiteScores> = {};
  for (const { name, documents } of measured) {
    const own = way === 'selective' ? workers.find((worker) => worker.name === name) : undefined;
    const { deidentifier } = (own ?? last).network;
    sites[name] = siteScores({ deidentifier, vocabulary, scheme }, documents, work);
  }
  for (const { training } of workers) training.dispose();
  return { leaves: 'changes of weights', bytes, rounds, guarantee, told, sites };
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
  for (let epoch = 1; epoch <= rounds; epoch++)
    await known.training.epoch(random.fork(`public/${epoch}`), signal);
  const others = workers.filter((worker) => worker !== known);
  for (const { training } of others) training.load(known.training.weights());
  return others;
}

function procedureOf(
  way: Together,
  { guarantee, rounds, privateRate }: SharingOptions,
  random: Random,
): { readonly procedure: Procedure; readonly guarantee: string } {
  if (way === 'round robin') return { procedure: { way: 'round-robin' }, guarantee: NOTHING };
  if (way === 'averaging') return { procedure: { way: 'averaging' }, guarantee: NOTHING };
  if (way === 'selective')
    return { procedure: { way: 'selective', selection: FESTAG_SELECTION }, guarantee: NOTHING };
  const privacy = privacyFor(guarantee, rounds, privateRate);
  const epsilon = epsilonOf(mechanismOf(privacy, rounds), guarantee.delta);
  return {
    procedure: { way: 'private-averaging', privacy, draws: random.fork('noise') },
    guarantee: `epsilon ${epsilon.toFixed(2)}, delta ${guarantee.delta}, a note`,
  };
}

function sumOf<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}
