import { setTimeout } from 'node:timers/promises';
import { changesOf } from '../../../models/federation/averaging.js';
import type { LocalTraining } from '../../../models/federation/local-training.js';
import {
  type PrivateConfig,
  type PrivateDraws,
  privateEpoch,
} from '../../../models/federation/private-training.js';
import { type SelectiveConfig, selectiveEpoch } from '../../../models/federation/selective-sgd.js';
import { requireFitting } from '../../../models/federation/weight-update.js';
import type { Random } from '../../../models/tensor/random.js';
import { TacetError } from '../../../proto/errors.js';
import type { FederationPlan } from '../../../proto/federation-plan.js';
import type { Federation } from './remote-federation.js';
import type { TrainedEpoch, WorkerHome } from './worker-home.js';

export interface WorkerOptions {
  readonly plan: FederationPlan;
  readonly training: LocalTraining;
  readonly home: Pick<WorkerHome, 'keep' | 'read'>;
  readonly selection: SelectiveConfig;
  /** Where the plan promises something for every text. */
  readonly privacy?: (PrivateConfig & { readonly draws: PrivateDraws }) | undefined;
  readonly random: Pick<Random, 'fork'>;
  readonly signal?: AbortSignal | undefined;
  /** Before an epoch or round of its own is trained, with the weights that it begins with at home. */
  readonly begins?: (epoch: number) => void;
  /** After each epoch or round of its own that was taken. */
  readonly say?: (epoch: number) => void;
  /** How often a note added nothing in a private epoch, since the weights that came made its loss no number. */
  readonly leftOut?: (times: number) => void;
}

/** Between questions whether there is something to do. */
const WAIT_MS = 500;
const MOST_WAIT_MS = 10_000;

/**
 * A worker's part in a federation, to its end. Killed and begun again at any moment, it loses the time of one
 * epoch at most: an epoch that was trained is kept at home before it is sent, and sent again as it is, so that no
 * draw of noise or lots is made twice for one update. A coordinator that is away for a while is waited for.
 */
export async function joinFederation(
  federation: Federation,
  options: WorkerOptions,
): Promise<void> {
  const { home, training, signal, say } = options;
  let kept = await home.read();
  if (kept) training.load(kept.weights);
  for (let waitMs = WAIT_MS; ; ) {
    signal?.throwIfAborted();
    const next = await unlessAway(() => federation.task());
    if (next?.task === 'over') break;
    if (next?.task !== 'train') {
      await setTimeout(waitMs, undefined, { signal });
      waitMs = Math.min(2 * waitMs, MOST_WAIT_MS);
      continue;
    }
    waitMs = WAIT_MS;
    if (kept?.epoch !== next.epoch) {
      const trained = await unlessAway(() => train(federation, next.epoch, kept, options));
      if (!trained) continue;
      kept = trained;
      await home.keep(kept);
    }
    const { epoch, update } = kept;
    const isTaken = await unlessAway(() => federation.upload(update, epoch, training.texts.length));
    if (isTaken) say?.(epoch);
  }
  const { values } = await federation.weights(1);
  if (options.plan.procedure !== 'selective') training.load(values);
}

async function train(
  federation: Federation,
  epoch: number,
  kept: TrainedEpoch | undefined,
  { plan, training, selection, privacy, random, signal, begins, leftOut }: WorkerOptions,
): Promise<TrainedEpoch> {
  requireAhead(plan, epoch, kept);
  const own = random.fork(`epoch/${epoch}`);
  if (plan.procedure === 'selective') {
    // What it had before, also where an epoch was begun and not ended. A worker that comes late begins where all
    // began, and takes over no more than its share of what the others did.
    const { values: before } = kept ? { values: kept.weights } : await federation.firstWeights();
    requireFitting({ values: before }, plan.weights);
    training.load(before);
    const down = await federation.weights(selection.downloadShare);
    begins?.(epoch);
    const { update } = await selectiveEpoch(training, down, selection, own, signal);
    return { epoch, weights: training.weights(), update };
  }
  const { values: before } = await federation.weights(1);
  requireFitting({ values: before }, plan.weights);
  training.load(before);
  begins?.(epoch);
  if (privacy) {
    const times = await privateEpoch(training, privacy, privacy.draws, signal);
    if (times > 0) leftOut?.(times);
  } else await training.epoch(own, signal);
  const weights = training.weights();
  return { epoch, weights, update: changesOf(before, weights) };
}

/** Each epoch is sent once, and where noise was measured out for so many, no more of them. */
function requireAhead(plan: FederationPlan, epoch: number, kept: TrainedEpoch | undefined): void {
  const { epochs, guarantee } = plan;
  const isNext = Number.isInteger(epoch) && epoch > (kept?.epoch ?? 0);
  if (isNext && (guarantee === null || epoch <= epochs)) return;
  throw new TacetError(
    'config-invalid',
    `the coordinator asks for epoch ${epoch} of ${epochs}, after epoch ${kept?.epoch ?? 0} was trained; ` +
      'was it put back from a backup? begin another federation',
  );
}

/** Undefined where nobody answers. */
async function unlessAway<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof TacetError && error.code === 'server-unreachable') return undefined;
    throw error;
  }
}
