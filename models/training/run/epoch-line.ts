import { durationText } from '../../../platform/duration-text.js';
import type { EpochRecord } from './metrics-file.js';

/** Where an epoch stands in its stage. */
export interface EpochPosition {
  readonly maxEpochs: number;
  readonly bestEpoch: number;
  readonly isLast: boolean;
}

/** What an epoch came to, in pieces of a line: losses, which epoch of how many, time left at most. */
export function epochLine(
  { stage, epoch, train, validation, seconds, remedy }: EpochRecord,
  { maxEpochs, bestEpoch, isLast }: EpochPosition,
): string[] {
  const losses = Object.entries(train).map(([name, mean]) => `${name} ${mean.toFixed(4)}`);
  const best = bestEpoch === epoch ? ', best' : '';
  return [
    `${stage}, epoch ${epoch} of ${maxEpochs}`,
    ...losses,
    `validation ${validation.monitor.toFixed(4)}${best}`,
    // A stage may end before its last epoch, where the loss stops falling.
    isLast ? 'the last' : `≤ ${durationText((maxEpochs - epoch) * seconds)} left`,
    ...(remedy ? [remedy] : []),
  ];
}
