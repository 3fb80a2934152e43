/** How far a PHI word can be told from a neighbour by what leaves, for each way of sharing. */
import { LEAST_ACCURACY } from '../../models/certification/accuracy.js';
import { Vocabulary } from '../../models/embeddings/vocabulary.js';
import type { LocalConfig } from '../../models/federation/local-training.js';
import { type LabelledText, textsOf } from '../../models/networks/text-network.js';
import type { Interval } from '../../models/statistics/bootstrap.js';
import { estimate } from '../../models/statistics/estimate.js';
import { meanOf } from '../../models/statistics/mean-of.js';
import { ofOrigins } from '../../models/statistics/origins.js';
import { Random } from '../../models/tensor/random.js';
import type { Document } from '../../models/text/document.js';
import type { LabelScheme } from '../../models/text/label-scheme.js';
import { textExamples } from '../../models/training/data/examples.js';
import type { Procedure } from '../federation/federated.js';
import type { UpdateKind } from '../federation/sent-updates.js';
import { type AttackedTexts, attackUpdates } from '../federation/update-attacks.js';
import { pseudonymsToldApart } from '../measures/pseudonyms.js';
import { siteOrigins } from '../runs/site-origins.js';
import { partSites, type Site } from '../runs/sites.js';
import type { Work } from '../runs/subject.js';
import {
  type MatrixMaterial,
  type MatrixOptions,
  measureLimits,
  type NamedRepresentation,
} from './matrix.js';
import { placeCopies } from './place-copies.js';
import { untrainedNetworks } from './untrained-networks.js';

export interface WordTold {
  /**
   * Read as it is; by construction, of what is labelled; the limit of every attack, on one release, or of moved text on
   * one place of a word that can be moved, where the words that cannot are in clear; or what the attacks on the first
   * update of each place reached, which is no limit.
   */
  readonly by: 'reading' | 'construction' | 'limit' | 'attack';
  readonly value: number;
  readonly interval: Interval;
  /** Of attacks: how often the same attack is right by updates of other texts. */
  readonly blind?: number;
}

export const IN_CLEAR: WordTold = { by: 'reading', value: 1, interval: [1, 1] };
export const CHANCE: WordTold = { by: 'construction', value: 0.5, interval: [0.5, 0.5] };

/** Texts of a place that are attacked, pairs of each, and updates that the attacker makes for itself. */
const TEXTS = 10;
const PAIRS = 3;
const DRAWS = 3;

/** The mean of the certified limits of all places, held-out documents; none where no word can move. */
export async function toldFromReleases(
  through: NamedRepresentation,
  material: MatrixMaterial,
  options: MatrixOptions & { readonly neighbours: number },
  work: Work,
): Promise<WordTold | null> {
  const limits = Object.values(await measureLimits(through, material, options, work));
  if (limits.length === 0) return null;
  const bounds = limits.map(({ bound }) => bound);
  return {
    by: 'limit',
    value: meanOf(bounds.map(({ value }) => value)),
    interval: [
      meanOf(bounds.map(({ interval: [low] }) => low)),
      meanOf(bounds.map(({ interval: [, high] }) => high)),
    ],
  };
}

/** By the pseudonym of a word that can be moved, at one place of held-out documents: the best attack on it is known. */
export async function toldFromPseudonyms(
  { embeddings, scheme }: MatrixMaterial,
  { neighbours, ...options }: MatrixOptions & { readonly neighbours: number },
  work: Work,
): Promise<WordTold | null> {
  const random = new Random(options.config.seed);
  const { measured } = partSites(options, random);
  const documents = measured.flatMap((site) => site.documents);
  const vocabulary = new Vocabulary(embeddings);
  const examples = textExamples(documents, scheme, vocabulary);
  const told = await pseudonymsToldApart(
    examples,
    vocabulary,
    neighbours,
    random.fork('pairs'),
    work,
  );
  if (told.length === 0) return null;
  const { value, interval } = estimate(ofOrigins(told, siteOrigins(measured)), 1, LEAST_ACCURACY);
  return { by: 'limit', value, interval };
}

/**
 * By the first update of each place that has labelled notes of its own, from the weights [N] that all begin with, copies
 * of its notes included; of selective SGD as if the place came first. The provider's notes are known. None of a round
 * robin, in which a place begins where the one before it ended, and none where an attacker knows less than twice as many
 * notes as a place has: the updates that it makes for itself would be of the same notes each time.
 */
export async function toldFromUpdates(
  procedure: Procedure,
  before: Float32Array,
  material: MatrixMaterial,
  options: MatrixOptions & { readonly neighbours: number },
  training: LocalConfig,
  work: Work,
): Promise<WordTold | null> {
  if (procedure.way === 'round-robin') return null;
  const { config, provider, neighbours } = options;
  const { scheme } = material;
  const random = new Random(config.seed);
  const { learned, measured } = partSites(options, random);
  const places = learned.filter(({ name }) => name !== provider?.name);
  const others = measured.flatMap(({ documents }) => documents).slice(0, TEXTS);
  const known = provider ?? { name: 'known notes', documents: others };
  const most = Math.max(...places.map(({ documents }) => documents.length));
  if (known.documents.length < 2 * most) return null;
  const read = (documents: readonly Document[]) => textsOf(documents, scheme);
  const copies = await copiesOfAll(places, known, scheme, options, random);
  const { vocabulary, create } = untrainedNetworks(material, config);
  const network = create();
  try {
    const { told, toldBlind, pairs } = await attackUpdates(
      {
        holders: places.map(({ documents }) => read(documents)),
        ...{ outsiders: read(others), known: read(known.documents) },
        ...(copies && { copies }),
      },
      {
        ...{ network, vocabulary, training, before, neighbours },
        ...{ update: kindOf(procedure), pairs: PAIRS, texts: TEXTS, draws: DRAWS },
      },
      random.fork('attack'),
      work,
    );
    if (pairs === 0) return null;
    const { value, interval } = told;
    return { by: 'attack', value, interval, blind: toldBlind.value };
  } finally {
    network.dispose();
  }
}

/** Those that a first epoch has, as places draw them; undefined where the configuration draws none. */
async function copiesOfAll(
  places: readonly Site[],
  known: Site,
  scheme: LabelScheme,
  options: MatrixOptions,
  random: Random,
): Promise<AttackedTexts['copies']> {
  const firstOf = async (site: Site) => {
    const [copy = []] = await placeCopies(site, scheme, options, random);
    return textsOf(copy, scheme);
  };
  if (options.config.augmentation.replaced === 0) return undefined;
  const holders: LabelledText[][] = [];
  for (const place of places) holders.push(await firstOf(place));
  return { holders, known: await firstOf(known) };
}

/** What leaves first. */
function kindOf(procedure: Procedure): UpdateKind {
  if (procedure.way === 'selective') return { kind: 'selected', selection: procedure.selection };
  if (procedure.way === 'private-averaging') {
    const { privacy, draws } = procedure;
    return { kind: 'private', privacy, draws };
  }
  return { kind: 'epoch' };
}
