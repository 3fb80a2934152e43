import type { NamedArrays } from '../../networks/named-arrays.js';
import type { Parameters } from '../../networks/parameters.js';
import type { Random } from '../../tensor/random.js';
import type { Metrics, Step } from './step.js';

export interface Stage {
  /** Unique within a run; names checkpoints and metrics, e.g. `P1`. */
  readonly name: string;
  readonly maxEpochs: number;
  /** Epochs without a better `monitor` before the stage ends. */
  readonly patience: number;
  /** Networks by name, all saved in checkpoints; those that do not train stay byte-equal. */
  readonly networks: Readonly<Record<string, Parameters>>;
  readonly optimisers: Readonly<Record<string, StatefulOptimiser>>;
  /**
   * The `l_deid` of a tagger for which all labels are alike (`Deidentifier.guessing`), where the stage trains one: it
   * has diverged where its best epoch is far above that.
   */
  readonly guessing?: number;
  /** Whether the weights that the stage starts from may turn out the best; else epoch 1 is first. */
  readonly startCounts?: boolean;
  /** Whether an epoch may turn out the best; until one may, the newest is. */
  counts?(validation: Metrics, epoch: number): boolean;
  /** What puts right what the validation before it showed to be wrong; nothing has changed yet. */
  remedy?(random: Random, epoch: number, validation: Metrics): Remedy | null;
  /** Sum over the batches of an epoch, where it is known before. */
  readonly tokensPerEpoch?: number;
  /** Batches of one epoch, each a function that takes one step and returns its losses. */
  batches(random: Random, epoch: number): Iterable<Step>;
  /** Losses on held-out documents after an epoch; `monitor` decides (lower is better). */
  validate(random: Random, epoch: number): Metrics & { monitor: number };
}

/** A stage whose sentences arrive while it trains. */
export type StreamedStage = Omit<Stage, 'batches'> & {
  batches(random: Random, epoch: number): AsyncIterable<Step>;
};

export type AnyStage = Stage | StreamedStage;

export interface Remedy {
  /** What was wrong and what was done, for people and for the metrics. */
  readonly note: string;
  /** Does it, before the next epoch; returns the training that belongs to it. */
  apply(): Iterable<Step>;
}

export interface StatefulOptimiser {
  state(): NamedArrays;
  restore(state: NamedArrays): void;
  /** Puts averages of the weights in their place, to validate and to keep; what is returned puts them back. */
  useAverages?(): () => void;
  dispose(): void;
}

export interface StageResult {
  readonly epochs: number;
  readonly bestEpoch: number;
  /** Null where the stage was left out. */
  readonly best: (Metrics & { monitor: number }) | null;
  /** How often something had to be put right. */
  readonly remedies: number;
}
