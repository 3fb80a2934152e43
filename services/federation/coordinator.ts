import { AveragedWeights } from '../../models/federation/averaging.js';
import { RoundAverage } from '../../models/federation/round-average.js';
import { SelectiveWeights } from '../../models/federation/selective-sgd.js';
import { requireFitting, type WeightUpdate } from '../../models/federation/weight-update.js';
import { Random } from '../../models/tensor/random.js';
import { Turns } from '../../pool-store/catalog/turns.js';
import type { Store } from '../../pool-store/store.js';
import { TacetError } from '../../proto/errors.js';
import {
  endsLateRounds,
  type FederationPlan,
  type FederationTask,
} from '../../proto/federation-plan.js';
import type { FederationMessage } from '../../proto/federation-update.js';
import { PATHS } from '../../proto/paths.js';
import type { CoordinatorState, FederationFolder, Progress } from './coordinator-state.js';

const ACTION = 'federation-update-accepted';
/** Updates change one state, one after another. */
const ALL = 'state';

/**
 * What workers train together: it holds the weights, takes what workers send, and says who is to do what. Each
 * update that it has taken is on the disk and in the log; one that comes again changes nothing.
 */
export class Coordinator {
  readonly #turns = new Turns();
  #selective!: SelectiveWeights;
  #averaged!: AveragedWeights;
  /** Where the plan asks for it. */
  #average: RoundAverage | undefined;
  #progress!: Progress;
  /** Whether what is held here may be ahead of the disk, which could neither be written nor read. */
  #isAhead = false;
  /** The digest of an update that is known to be in the log. */
  #logged: string | undefined;
  /** Nobody could send anything before, so that no round is late for it. */
  readonly #opened: number;

  private constructor(
    readonly plan: FederationPlan,
    private readonly store: Store,
    private readonly folder: FederationFolder,
    private readonly now: () => number,
    private readonly lots: () => Random,
  ) {
    this.#opened = now();
  }

  /** Throws `checkpoint-invalid` where files are damaged, or missing that a worker will ask for. */
  static async open(
    store: Store,
    folder: FederationFolder,
    now: () => number = Date.now,
    /** What decides between weights that were updated as often; it need not be the same again. */
    lots: () => Random = () => new Random(Math.floor(now() * 1000)),
  ): Promise<Coordinator> {
    const coordinator = new Coordinator(await folder.plan(), store, folder, now, lots);
    coordinator.#load(await folder.read());
    await coordinator.#requireFirstWeights();
    await coordinator.#completeLog();
    return coordinator;
  }

  get progress(): Progress {
    return this.#progress;
  }

  /** Throws `forbidden` for who is not in the plan. */
  requireWorker(name: string): void {
    if (this.plan.workers.includes(name)) return;
    throw new TacetError('forbidden', 'the holder of this token is no worker of the federation');
  }

  /** Throws `forbidden` for who is not in the plan. */
  async taskOf(worker: string): Promise<FederationTask> {
    this.requireWorker(worker);
    await this.#turns.take(ALL, async () => {
      await this.#fallBack();
      await this.#endLateRound();
    });
    const { procedure, epochs, workers } = this.plan;
    const { round, taken } = this.#progress;
    if (procedure === 'selective') {
      const done = taken[worker] ?? 0;
      return done < epochs ? { task: 'train', epoch: done + 1 } : { task: 'over', epoch: epochs };
    }
    if (round > this.#rounds()) return { task: 'over', epoch: this.#rounds() };
    const isWanted =
      procedure === 'round-robin'
        ? workers[(round - 1) % workers.length] === worker
        : !this.#averaged.received.has(worker);
    return { task: isWanted ? 'train' : 'wait', epoch: round };
  }

  /**
   * Throws `forbidden` for who is not in the plan, and for a worker that needs no weights now: whoever has them before
   * and after an update of another has that update. Who trains may ask again, as one does that was killed; so may one
   * that never sends, round after round, and what a single worker sent in a late round it has.
   */
  async requireReader(worker: string): Promise<void> {
    const { task } = await this.taskOf(worker);
    // Of selective SGD the network of a worker is its own.
    if (task === 'train' || (task === 'over' && this.plan.procedure !== 'selective')) return;
    throw new TacetError(
      'forbidden',
      `the weights are for workers that are asked to train, and for all when the rounds are over; the task of ${worker} ` +
        `is ${task} (GET ${PATHS.federationTask})`,
    );
  }

  /**
   * All weights, or the share of them that was updated most often; when all rounds are over their average, where the plan
   * asks for it.
   */
  weights(share: number): WeightUpdate {
    if (this.plan.procedure !== 'selective') {
      const isOver = this.#progress.round > this.#rounds();
      return { values: (isOver ? this.#average : undefined)?.weights ?? this.#averaged.weights };
    }
    if (share >= 1) return { values: this.#selective.weights };
    return this.#selective.mostUpdated(share, this.lots());
  }

  /** Those that the federation began with. */
  async firstWeights(): Promise<WeightUpdate> {
    return { values: await this.folder.first(this.plan.weights) };
  }

  /**
   * Takes an update whose signature was checked. Returns whether it changed anything. Throws
   * `federation-update-invalid`, `federation-round-past`, or `forbidden`.
   */
  accept(message: FederationMessage, digest: string): Promise<boolean> {
    return this.#turns.take(ALL, async () => {
      const worker = message.header.worker ?? '';
      this.requireWorker(worker);
      await this.#fallBack();
      // Where the log failed, the one before is in it before another takes its place, or its worker hears that it counts.
      await this.#completeLog();
      await this.#endLateRound();
      if (this.#hasTaken(worker, message)) return false;
      requireFitting(message, this.plan.weights);
      await this.#take(worker, message, digest);
      await this.#completeLog();
      return true;
    });
  }

  /** Said to who begins the coordinator, and not to the worker alone that comes last. */
  async #requireFirstWeights(): Promise<void> {
    const { procedure, workers } = this.plan;
    const { round, taken } = this.#progress;
    const isAwaited =
      procedure === 'selective'
        ? workers.some((worker) => taken[worker] === undefined)
        : round === 1;
    if (isAwaited) await this.firstWeights();
  }

  #hasTaken(worker: string, { header: { epoch } }: FederationMessage): boolean {
    const { procedure, workers } = this.plan;
    const { round, taken } = this.#progress;
    if (procedure === 'selective') {
      const next = (taken[worker] ?? 0) + 1;
      if (epoch < next) return true;
      if (epoch === next && epoch <= this.plan.epochs) return false;
      throw outOfTurn(epoch, next);
    }
    if (epoch !== round || round > this.#rounds()) {
      // The round that it took part in last, sent again since the answer was lost.
      if (epoch === taken[worker]) return true;
      throw outOfTurn(epoch, round);
    }
    if (procedure === 'round-robin' && workers[(round - 1) % workers.length] !== worker)
      throw outOfTurn(epoch, round);
    return this.#averaged.received.has(worker);
  }

  async #take(worker: string, message: FederationMessage, digest: string): Promise<void> {
    const { header, values, places } = message;
    const { epoch, texts } = header;
    const before = this.#progress;
    const last = { digest, worker, epoch };
    // What the worker's next update is counted from: its epochs, or the round it took part in.
    const taken = { ...before.taken, [worker]: epoch };
    if (this.plan.procedure === 'selective') {
      this.#selective.add({ places, values });
      this.#progress = { ...before, taken, last };
    } else {
      if (places)
        throw new TacetError(
          'federation-update-invalid',
          'the update names places; this procedure takes a change of every weight',
        );
      this.#averaged.add(worker, { update: { values }, texts: Math.max(texts, 1) });
      this.#progress = { ...before, taken, last };
      const wanted = this.plan.procedure === 'round-robin' ? 1 : this.plan.workers.length;
      if (this.#averaged.received.size >= wanted) this.#endRound();
    }
    await this.#write();
  }

  async #endLateRound(): Promise<void> {
    const { roundSeconds, procedure } = this.plan;
    if (roundSeconds === null || !endsLateRounds(procedure)) return;
    const since = Math.max(this.#progress.since, this.#opened);
    const isLate = this.now() - since > 1000 * roundSeconds;
    if (!isLate || this.#averaged.received.size === 0) return;
    this.#endRound();
    await this.#write();
  }

  #endRound(): void {
    this.#averaged.close();
    // A round robin's average is of what everybody had a turn at.
    const turns = this.plan.procedure === 'round-robin' ? this.plan.workers.length : 1;
    if (this.#progress.round % turns === 0) this.#average?.add(this.#averaged.weights);
    this.#progress = { ...this.#progress, round: this.#averaged.round, since: this.now() };
  }

  #rounds(): number {
    const { procedure, epochs, workers } = this.plan;
    return procedure === 'round-robin' ? epochs * workers.length : epochs;
  }

  #load({ progress, weights, counts, average, received }: CoordinatorState): void {
    this.#progress = progress;
    this.#selective = new SelectiveWeights(weights, counts);
    this.#averaged = averagedOf(weights, progress, received);
    const { averaging } = this.plan;
    this.#average =
      averaging === undefined
        ? undefined
        : new RoundAverage(average?.weights ?? weights, averaging, average?.rounds);
  }

  /** Where the disk fails, nothing has changed here either. */
  async #write(): Promise<void> {
    try {
      await this.folder.write(this.#state());
    } catch (error) {
      this.#isAhead = true;
      // Where the disk cannot be read now, it is read before anybody is answered next.
      await this.#fallBack().catch(() => undefined);
      throw error;
    }
  }

  /** Nobody may be told that an update was taken which is not on the disk. */
  async #fallBack(): Promise<void> {
    if (!this.#isAhead) return;
    this.#load(await this.folder.read());
    this.#isAhead = false;
  }

  #state(): CoordinatorState {
    const isSelective = this.plan.procedure === 'selective';
    const received = [...this.#averaged.received].map(([worker, { update, texts }]) => ({
      ...{ worker, texts },
      values: update.values,
    }));
    return {
      progress: this.#progress,
      weights: isSelective ? this.#selective.weights : this.#averaged.weights,
      counts: this.#selective.counts,
      average: this.#average,
      received: isSelective ? [] : received,
    };
  }

  /** The state may have been written and not the log: where the process ended between the two, or the log failed. */
  async #completeLog(): Promise<void> {
    const { last } = this.#progress;
    if (!last || last.digest === this.#logged) return;
    const { catalog, log } = this.store;
    const { digest, worker, epoch } = last;
    await catalog.write(async (transaction) => {
      const known = await transaction
        .selectFrom('log')
        .select('sequence')
        .where('action', '=', ACTION)
        .where('subject', '=', digest)
        .executeTakeFirst();
      if (!known) await log.append(transaction, ACTION, digest, { worker, epoch });
    });
    this.#logged = digest;
  }
}

function averagedOf(
  weights: Float32Array,
  { round }: Progress,
  received: CoordinatorState['received'],
): AveragedWeights {
  const updates = received.map(
    ({ worker, texts, values }) => [worker, { update: { values }, texts }] as const,
  );
  return new AveragedWeights(weights, round, new Map(updates));
}

function outOfTurn(epoch: number, expected: number): TacetError {
  return new TacetError(
    'federation-round-past',
    `the update is of epoch or round ${epoch}; expected ${expected}, from who is asked for it`,
  );
}
