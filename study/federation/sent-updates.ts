import { changesOf } from '../../models/federation/averaging.js';
import { type LocalConfig, LocalTraining } from '../../models/federation/local-training.js';
import {
  type PrivateConfig,
  type PrivateDraws,
  privateEpoch,
} from '../../models/federation/private-training.js';
import { type SelectiveConfig, selectChanges } from '../../models/federation/selective-sgd.js';
import { changesOfAll, type WeightUpdate } from '../../models/federation/weight-update.js';
import type { LabelledText, TextNetwork } from '../../models/networks/text-network.js';
import type { Random } from '../../models/tensor/random.js';
import type { Work } from '../runs/subject.js';

/** What leaves a holder. */
export type UpdateKind =
  | { readonly kind: 'epoch' }
  | { readonly kind: 'selected'; readonly selection: SelectiveConfig }
  | { readonly kind: 'private'; readonly privacy: PrivateConfig; readonly draws: PrivateDraws };

/** How an update comes about. */
export interface UpdateSource {
  readonly network: TextNetwork;
  readonly training: LocalConfig;
  readonly update: UpdateKind;
  /** What the epoch begins with, [N], which the coordinator knows. */
  readonly before: Float32Array;
}

/** Texts of an epoch, and of each, in order, a copy that the epoch has beside it; no copies where it is left out. */
export interface EpochTexts {
  readonly texts: readonly LabelledText[];
  readonly copy?: readonly LabelledText[] | undefined;
}

/** What an epoch over texts changes, as it leaves. */
export async function updateOf(
  { texts, copy }: EpochTexts,
  { network, training, update, before }: UpdateSource,
  random: Random,
  { signal }: Work,
): Promise<WeightUpdate> {
  const read = (all: readonly LabelledText[]) => all.map((text) => network.read(text));
  const copies = copy ? [read(copy)] : [];
  const local = new LocalTraining(network, read(texts), training, copies);
  local.load(before);
  if (update.kind === 'private') await privateEpoch(local, update.privacy, update.draws, signal);
  else await local.epoch(random, signal);
  const after = local.weights();
  return update.kind === 'selected'
    ? selectChanges(before, after, update.selection, random.fork('selection'))
    : changesOf(before, after);
}

/** The weights after a round of everybody: the mean of what holders change, or the sum of what they select. */
export async function roundOf(
  holders: readonly (readonly LabelledText[])[],
  options: UpdateSource,
  random: Random,
  work: Work,
): Promise<Float32Array> {
  const weights = options.before.slice();
  const share = options.update.kind === 'selected' ? 1 : 1 / holders.length;
  for (const [i, texts] of holders.entries()) {
    const update = await updateOf({ texts }, options, random.fork(`holder/${i}`), work);
    changesOfAll(update, weights.length).forEach((change, place) => {
      (weights[place] as number) += share * change;
    });
  }
  return weights;
}

/** So many epochs, each over as many public texts drawn by chance: [N] each. */
export async function simulatedUpdates(
  { texts, draws }: { readonly texts: number; readonly draws: number },
  known: EpochTexts,
  options: UpdateSource,
  random: Random,
  work: Work,
): Promise<Float32Array[]> {
  // An attacker that simulates does not leave out what it can see.
  const whole = { ...options, update: withoutSelection(options.update) };
  const changes: Float32Array[] = [];
  for (let draw = 0; draw < draws; draw++) {
    const order = known.texts.map((_, i) => i);
    const own = random.fork(`background/${draw}`);
    own.shuffle(order);
    const drawn = (all: readonly LabelledText[]) =>
      order.slice(0, texts).map((i) => all[i] as LabelledText);
    const seen = { texts: drawn(known.texts), copy: known.copy && drawn(known.copy) };
    changes.push((await updateOf(seen, whole, own, work)).values);
  }
  return changes;
}

function withoutSelection(update: UpdateKind): UpdateKind {
  return update.kind === 'selected' ? { kind: 'epoch' } : update;
}
