import type { NamedArrays } from '../../networks/named-arrays.js';
import type { Metrics } from './step.js';

/** Everything that an uninterrupted run would have in memory after an epoch. */
export interface StageState {
  readonly stage: string;
  readonly epoch: number;
  readonly bestEpoch: number;
  readonly best: (Metrics & { monitor: number }) | null;
  readonly finished: boolean;
  /** Absent in checkpoints from before there were any. */
  readonly remedies?: number;
  /** Whether the last of them has yet to be applied. */
  readonly remedyDue?: boolean;
  readonly networks: Readonly<Record<string, NamedArrays>>;
  readonly bestNetworks: Readonly<Record<string, NamedArrays>>;
  readonly optimisers: Readonly<Record<string, NamedArrays>>;
}
