/** One split of notes into holders, and attacks on the updates of each way of training together. */
import { INVERSION_DEFAULTS } from '../../models/attacks/updates/gradient-inversion.js';
import { Vocabulary } from '../../models/embeddings/vocabulary.js';
import { flatWeights } from '../../models/federation/flat-weights.js';
import {
  ADAM_TRAINING,
  type LocalConfig,
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
import { type LabelledText, textsOf } from '../../models/networks/text-network.js';
import { Random } from '../../models/tensor/random.js';
import { keptTogether } from '../../models/text/corpus/kept-together.js';
import type { Document } from '../../models/text/document.js';
import type { LabelScheme } from '../../models/text/label-scheme.js';
import { TacetError } from '../../proto/errors.js';
import type { Material, Work } from '../runs/subject.js';
import { roundOf, type UpdateKind } from './sent-updates.js';
import {
  type AttackedTexts,
  attackUpdates,
  type UpdateAttackOptions,
  type UpdateAttacks,
} from './update-attacks.js';

/**
 * What is attacked: one step on one sentence, which is the easy case; one on one note; an epoch over the notes
 * of a holder; what selective SGD uploads of it; an epoch of Adam, as in federated averaging; the same under
 * DP-SGD.
 */
export const UPDATE_WAYS = [
  ...['sentence', 'note', 'epoch', 'selective', 'averaging', 'private averaging'],
] as const;
export type UpdateWay = (typeof UPDATE_WAYS)[number];

export interface UpdateStudyOptions {
  readonly network: TextNetworkName;
  /** For the ways that train the network as it comes. */
  readonly settings?: TrainingSettings | undefined;
  readonly holders: number;
  /** Of each holder. */
  readonly notes: number;
  /** Rounds that come before the one that is attacked. */
  readonly after: number;
  readonly neighbours: number;
  readonly pairs: number;
  readonly draws: number;
  /** Updates of a way that are inverted, by so many steps of vectors and moves of words a round. */
  readonly inversions: number;
  readonly inversionSteps: number;
  readonly inversionMoves: number;
  readonly seed: number;
  /** Of private averaging, over so many rounds. */
  readonly guarantee: Guarantee;
  readonly rounds: number;
}

export interface UpdateStudyResult extends UpdateAttacks {
  readonly way: string;
  readonly network: TextNetworkName;
  readonly training: LocalConfig;
  readonly after: number;
  readonly seed: number;
  /** Texts of a holder. */
  readonly texts: number;
  /** Tokens of a holder, in the mean. */
  readonly tokens: number;
  readonly epsilon: number | null;
}

/** Throws `corpus-invalid` where there are too few notes for so many holders. */
export async function attackedWay(
  way: UpdateWay,
  { documents, embeddings, scheme }: Pick<Material, 'documents' | 'embeddings' | 'scheme'>,
  options: UpdateStudyOptions,
  work: Work,
): Promise<UpdateStudyResult> {
  const { network: name, seed, after } = options;
  const random = new Random(seed);
  const vocabulary = new Vocabulary(embeddings);
  const texts = attackedTexts(way, documents, scheme, options, random.fork('notes'));
  const network = textNetwork(name, scheme, vocabulary, random.fork('initialise'));
  const { training, update, epsilon } = procedureOf(way, options, random);
  let given: UpdateAttackOptions = {
    ...{ network, vocabulary, training, update },
    before: flatWeights(network.parameters),
    ...{ neighbours: options.neighbours, pairs: options.pairs, draws: options.draws },
    inversion: {
      ...{ ...INVERSION_DEFAULTS, updates: options.inversions },
      ...{ steps: options.inversionSteps, moves: options.inversionMoves },
    },
  };
  try {
    for (let round = 1; round <= after; round++) {
      const before = await roundOf(texts.holders, given, random.fork(`round/${round}`), work);
      given = { ...given, before };
    }
    const all = texts.holders.flat(2);
    return {
      ...{ way, network: name, training, after, seed, epsilon },
      texts: texts.holders[0]?.length ?? 0,
      tokens: all.reduce((sum, { tokens }) => sum + tokens.length, 0) / texts.holders.length,
      ...(await attackUpdates(texts, given, random.fork('attack'), work)),
    };
  } finally {
    network.dispose();
  }
}

/**
 * Holders with notes of their own, as many outsiders, and all others to know; by sentences where a text is one. Notes of
 * one origin are of one holder, or of nobody, or known: those beyond the number of a holder are left out. Throws
 * `corpus-invalid` where there are too few.
 */
export function attackedTexts(
  way: UpdateWay,
  documents: readonly Document[],
  scheme: LabelScheme,
  { holders, notes }: Pick<UpdateStudyOptions, 'holders' | 'notes'>,
  random: Random,
): AttackedTexts {
  const texts = textsOf(documents, scheme);
  const textOf = new Map(documents.map((document, i) => [document, texts[i] as LabelledText]));
  const groups = keptTogether(documents);
  const origins = groups.length;
  random.shuffle(groups);
  const take = (count: number): LabelledText[] => {
    const taken: LabelledText[] = [];
    while (taken.length < count && groups.length > 0)
      taken.push(...(groups.shift() ?? []).map((one) => textOf.get(one) as LabelledText));
    return taken.slice(0, count);
  };
  const members = holders * notes;
  const own = Array.from({ length: holders }, () => take(notes));
  const held = own.flat();
  const outsiders = take(members);
  const known = take(documents.length);
  if (held.length < members || outsiders.length < members || known.length < Math.max(notes, 2))
    throw new TacetError(
      'corpus-invalid',
      `${documents.length} notes of ${origins} origins are too few: ${holders} holders with ${notes} each, as many ` +
        `outsiders and others to know need ${2 * members + Math.max(notes, 2)}, and notes of one origin stay on one ` +
        'side; name fewer with --holders or --notes',
    );
  if (way === 'note') return { holders: held.map((text) => [text]), outsiders, known };
  if (way !== 'sentence') return { holders: own, outsiders, known };
  const sentenceOf = (text: LabelledText) => {
    const marked = text.filter(({ labels }) => labels.some((label) => label !== 0));
    return marked.length > 0
      ? [[marked[random.integer(marked.length)] as LabelledText[number]]]
      : [];
  };
  return {
    holders: held.flatMap(sentenceOf).map((sentence) => [sentence]),
    outsiders: outsiders.flatMap(sentenceOf),
    known: known.flatMap(sentenceOf),
  };
}

function procedureOf(
  way: UpdateWay,
  { network, guarantee, rounds, settings = {} }: UpdateStudyOptions,
  random: Random,
): {
  readonly training: LocalConfig;
  readonly update: UpdateKind;
  readonly epsilon: number | null;
} {
  const own = withSettings(OWN_TRAINING[network], settings);
  if (way === 'selective')
    return {
      training: own,
      update: { kind: 'selected', selection: FESTAG_SELECTION },
      epsilon: null,
    };
  if (way === 'averaging')
    return { training: ADAM_TRAINING, update: { kind: 'epoch' }, epsilon: null };
  if (way !== 'private averaging')
    return { training: own, update: { kind: 'epoch' }, epsilon: null };
  const privacy = privacyFor(guarantee, rounds);
  return {
    training: ADAM_TRAINING,
    update: { kind: 'private', privacy, draws: random.fork('noise') },
    epsilon: epsilonOf(mechanismOf(privacy, rounds), guarantee.delta),
  };
}
