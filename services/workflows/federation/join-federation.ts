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
import { type Numbers, weightsDigest } from '../../../proto/federation-update.js';
import { isPassing } from '../../client/job-lease.js';
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
/** With their waits more than a server takes to be restarted behind a proxy, which answers meanwhile. */
const MOST_FAILED = 8;

/**
 * A worker's part in a federation, to its end. Killed and begun again at any moment, it loses the time of one
 * epoch at most: an epoch that was trained is kept at home before it is sent, and sent again as it is, so that no
 * draw of noise or lots is made twice for one update. A coordinator that is away for a while is waited for. Throws
 * `federation-update-invalid` for weights that cannot be the plan's, and `config-invalid` where the home is not the one
 * that was trained in, or was trained in on other notes.
 */
export async function joinFederation(
  federation: Federation,
  options: WorkerOptions,
): Promise<void> {
  const { home, plan, training, signal, say } = options;
  let kept = await home.read();
  if (kept) training.load(kept.weights);
  const patience = new Patience();
  let last: Numbers | undefined;
  for (let waitMs = 0; !last; ) {
    // Ended meanwhile, it says why below.
    await setTimeout(waitMs, undefined, { signal }).catch(() => {});
    signal?.throwIfAborted();
    waitMs = Math.min(Math.max(2 * waitMs, WAIT_MS), MOST_WAIT_MS);
    const next = await patience.ask('task', () => federation.task());
    if (next?.task === 'over' && plan.procedure === 'selective') {
      requireOwn(plan, kept);
      return;
    }
    if (next?.task === 'over') last = await patience.ask('last', () => federation.weights(1));
    if (next?.task !== 'train') continue;
    if (kept?.epoch !== next.epoch) {
      const trained = await patience.ask('weights', () =>
        train(federation, next.epoch, kept, options),
      );
      if (!trained) continue;
      kept = trained;
      await home.keep(kept);
    }
    const { epoch, update } = kept;
    const isTaken = await patience.ask('upload', () =>
      federation.upload(update, epoch, training.texts.length),
    );
    if (isTaken !== undefined) waitMs = 0;
    if (isTaken) say?.(epoch);
  }
  requireFitting({ values: last.values }, plan.weights);
  training.load(last.values);
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
    if (!kept) requireFirst(before, plan);
    training.load(before);
    const down = await federation.weights(selection.downloadShare);
    requireShare(down, selection.downloadShare, plan.weights);
    begins?.(epoch);
    const { update } = await selectiveEpoch(training, down, selection, own, signal);
    return { epoch, weights: training.weights(), update };
  }
  const isFirst = epoch === 1;
  const { values: before } = await (isFirst ? federation.firstWeights() : federation.weights(1));
  requireFitting({ values: before }, plan.weights);
  if (isFirst) requireFirst(before, plan);
  training.load(before);
  begins?.(epoch);
  if (privacy) {
    const times = await privateEpoch(training, privacy, privacy.draws, signal);
    if (times > 0) leftOut?.(times);
  } else await training.epoch(own, signal);
  const weights = training.weights();
  return { epoch, weights, update: changesOf(before, weights) };
}

/** Other weights than those that all agreed to begin with may be what others have taught, whatever a worker would take over. */
function requireFirst(weights: Float32Array, { firstWeights }: FederationPlan): void {
  const digest = weightsDigest(weights);
  if (digest === firstWeights) return;
  throw new TacetError(
    'federation-update-invalid',
    `the weights that the coordinator begins with are not those of its plan (their SHA-256 is ${digest}; expected ` +
      `${firstWeights}); nothing was trained on them: begin another federation`,
  );
}

/** How much others say of its weights is a worker's own choice; no places are all of them. */
function requireShare({ places }: Numbers, share: number, count: number): void {
  const most = Math.round(share * count);
  if ((places?.length ?? count) <= most) return;
  throw new TacetError(
    'federation-update-invalid',
    `the coordinator gave ${places?.length ?? count} weights for the ${most} that were asked for (--download-share)`,
  );
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

/** What a worker of selective SGD has in the end is at home alone: what the coordinator holds is everybody's. */
function requireOwn({ epochs }: FederationPlan, kept: TrainedEpoch | undefined): void {
  if (kept?.epoch === epochs) return;
  throw new TacetError(
    'config-invalid',
    `the coordinator has taken all ${epochs} epochs of this worker, and its home holds ${kept ? `epoch ${kept.epoch}` : 'none'}; ` +
      'name the --home that it trained in, or begin another federation',
  );
}

/** Asks a coordinator that may be away for a while. */
class Patience {
  /** Of each question, how often its answer failed since it last did not. */
  readonly #failed = new Map<string, number>();

  /**
   * Undefined where nobody answers, or what the coordinator needs is away. An answer that is none may have broken off, and
   * is asked for again, though not for ever: another coordinator than was agreed with gives no better one.
   */
  async ask<T>(what: string, ask: () => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await ask();
      this.#failed.delete(what);
      return answer;
    } catch (error) {
      if (!isPassing(error)) throw error;
      const failed = (this.#failed.get(what) ?? 0) + 1;
      if ((error as TacetError).code === 'server-failed') this.#failed.set(what, failed);
      if (failed > MOST_FAILED) throw error;
      return undefined;
    }
  }
}
