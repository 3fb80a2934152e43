/**
 * The experiments of Festag and Spreckelsen 2020, and what a user would set beside them: training on all texts
 * in one place (A), a network that goes from holder to holder (B), distributed selective SGD (C), holders who
 * share nothing (D), federated averaging, and federated averaging with the noise of DP-SGD.
 */
import { AveragedWeights, changesOf } from '../../models/federation/averaging.js';
import type { LocalTraining } from '../../models/federation/local-training.js';
import {
  type PrivateConfig,
  type PrivateDraws,
  privateEpoch,
} from '../../models/federation/private-training.js';
import {
  type SelectiveConfig,
  SelectiveWeights,
  selectiveEpoch,
} from '../../models/federation/selective-sgd.js';
import { updateBytes } from '../../models/federation/weight-update.js';
import type { ReadText } from '../../models/networks/text-network.js';
import { meanOf } from '../../models/statistics/mean-of.js';
import type { Random } from '../../models/tensor/random.js';
import { type TokenScore, tokenScore } from '../measures/token-score.js';
import { Stopwatch } from '../runs/stopwatch.js';
import type { Work } from '../runs/subject.js';

export type Procedure =
  | { readonly way: 'central' }
  | { readonly way: 'round-robin' }
  | {
      readonly way: 'selective';
      readonly selection: SelectiveConfig;
      /** What the server holds, for who would look at it afterwards. */
      readonly server?: SelectiveWeights;
    }
  | { readonly way: 'isolated' }
  | { readonly way: 'averaging' }
  | {
      readonly way: 'private-averaging';
      readonly privacy: PrivateConfig;
      readonly draws: PrivateDraws;
    };

/** A network over some texts, and texts that it is scored on. */
export interface Holder {
  readonly name: string;
  readonly training: LocalTraining;
  readonly heldOut: readonly ReadText[];
}

/** All holders of texts, and who holds the texts of all of them. */
export interface Holders {
  /** Each with a network of its own; networks start alike. */
  readonly workers: readonly Holder[];
  readonly central: Holder;
}

export interface EpochScore {
  /** From 1 on: each text was seen once in each. */
  readonly epoch: number;
  /** Whose network; `all` where there is one for everybody. */
  readonly worker: string;
  /** Mean a token of training; null where noise hides it. */
  readonly loss: number | null;
  readonly score: TokenScore;
  /** What the server, or the next holder, received in the epoch. */
  readonly bytesUp: number;
  readonly bytesDown: number;
  /** Of training alone. */
  readonly seconds: number;
}

/** Everybody's name for what all of them have. */
export const ALL = 'all';

/** The scores of every network after each epoch; networks end as they are after the last. */
export async function* runProcedure(
  procedure: Procedure,
  holders: Holders,
  epochs: number,
  random: Random,
  work: Work,
): AsyncGenerator<EpochScore> {
  const run = { holders, random, ...work };
  const step = stepOf(procedure, run);
  for (let epoch = 1; epoch <= epochs; epoch++) {
    for await (const { holder, name, ...rest } of step(epoch, random.fork(`epoch/${epoch}`))) {
      work.signal?.throwIfAborted();
      yield { epoch, worker: name, score: tokenScore(holder.heldOut), ...rest };
    }
  }
}

type Trained = Omit<EpochScore, 'epoch' | 'worker' | 'score'> & {
  readonly holder: Holder;
  readonly name: string;
};
type Step = (epoch: number, random: Random) => AsyncGenerator<Trained>;
type Run = { readonly holders: Holders; readonly random: Random } & Work;

function stepOf(procedure: Procedure, run: Run): Step {
  switch (procedure.way) {
    case 'central':
      return alone([run.holders.central], run, () => ALL);
    case 'isolated':
      return alone(run.holders.workers, run, ({ name }) => name);
    case 'round-robin':
      return roundRobin(run);
    case 'selective':
      return selective(procedure, run);
    case 'averaging':
      return averaging(run, ({ training }, random) => training.epoch(random, run.signal));
    case 'private-averaging':
      return averaging(run, async ({ training }) => {
        const { privacy, draws } = procedure;
        await privateEpoch(training, privacy, draws, run.signal);
        return null;
      });
  }
}

/** A and D. */
function alone(
  holders: readonly Holder[],
  { signal }: Run,
  nameOf: (holder: Holder) => string,
): Step {
  return async function* (_, random) {
    for (const holder of holders) {
      const stopwatch = new Stopwatch();
      const loss = await holder.training.epoch(random.fork(holder.name), signal);
      const seconds = stopwatch.wallSeconds;
      yield { holder, name: nameOf(holder), loss, bytesUp: 0, bytesDown: 0, seconds };
    }
  };
}

/** B: the weights go to the next worker after each local epoch; five of those make an epoch. */
function roundRobin({ holders: { workers }, signal }: Run): Step {
  let weights = (workers[0] as Holder).training.weights();
  return async function* (_, random) {
    const stopwatch = new Stopwatch();
    let sum = 0;
    for (const { name, training } of workers) {
      training.load(weights);
      sum += await training.epoch(random.fork(name), signal);
      weights = training.weights();
    }
    const bytes = workers.length * weights.byteLength;
    const holder = workers.at(-1) as Holder;
    const loss = sum / workers.length;
    yield {
      ...{ holder, name: ALL, loss, bytesUp: bytes, bytesDown: bytes },
      seconds: stopwatch.wallSeconds,
    };
  };
}

/** C: each worker when it comes, which is in another order every time, on what the others have uploaded by then. */
function selective(
  { selection: config, server: given }: Extract<Procedure, { way: 'selective' }>,
  { holders: { workers }, random: all, signal }: Run,
): Step {
  const server = given ?? new SelectiveWeights((workers[0] as Holder).training.weights());
  const lots = all.fork('server');
  return async function* (_, random) {
    const order = [...workers];
    random.shuffle(order);
    for (const holder of order) {
      const stopwatch = new Stopwatch();
      const down = server.mostUpdated(config.downloadShare, lots);
      const own = random.fork(holder.name);
      const { update, loss } = await selectiveEpoch(holder.training, down, config, own, signal);
      server.add(update);
      yield {
        ...{ holder, name: holder.name, loss },
        ...{ bytesUp: updateBytes(update), bytesDown: updateBytes(down) },
        seconds: stopwatch.wallSeconds,
      };
    }
  };
}

/** A round an epoch, in which everybody trains from the same weights. */
function averaging(
  { holders: { workers } }: Run,
  epochOf: (holder: Holder, random: Random) => Promise<number | null>,
): Step {
  const server = new AveragedWeights((workers[0] as Holder).training.weights());
  return async function* (_, random) {
    const stopwatch = new Stopwatch();
    const losses: (number | null)[] = [];
    let bytesUp = 0;
    for (const holder of workers) {
      const { name, training } = holder;
      training.load(server.weights);
      losses.push(await epochOf(holder, random.fork(name)));
      const update = changesOf(server.weights, training.weights());
      bytesUp += updateBytes(update);
      server.add(name, { update, texts: training.texts.length });
    }
    server.close();
    const holder = workers[0] as Holder;
    holder.training.load(server.weights);
    yield {
      ...{ holder, name: ALL, loss: meanLoss(losses), bytesUp },
      bytesDown: workers.length * server.weights.byteLength,
      seconds: stopwatch.wallSeconds,
    };
  };
}

function meanLoss(losses: readonly (number | null)[]): number | null {
  const known = losses.filter((loss) => loss !== null);
  return known.length < losses.length ? null : meanOf(known);
}
