import type { NamedArrays } from '../networks/named-arrays.js';
import type { Attack } from './attack.js';
import { attributeInference } from './attributes/attribute-inference.js';
import { baseline } from './baseline.js';
import { closedList } from './closed-list/closed-list.js';
import { replacedList } from './closed-list/replaced-list.js';
import { confirmation } from './confirmation/confirmation.js';
import { inversion } from './inversion/inversion.js';
import { continuedAdversary, freshTrainingAdversary } from './learned/continued-adversary.js';
import { freshAdversary } from './learned/fresh-adversary.js';
import { LEARNING_LIMITS } from './learned/learning-limits.js';
import { knownNoise } from './likelihood/known-noise.js';
import { knownNoiseSequence } from './likelihood/known-noise-sequence.js';
import { linkage } from './linkage/linkage.js';
import { lookupTable } from './linkage/lookup-table.js';
import { membership } from './membership/membership.js';
import { readKnownSentence } from './reading/known-sentence.js';
import { byNotes } from './report/by-notes.js';

export interface StandardAttackOptions {
  /** Units of the adversary of training, and where the auditor has them its weights at the freeze and learning rate. */
  readonly adversary: {
    readonly units: number;
    readonly start?: NamedArrays | undefined;
    readonly learningRate?: number | undefined;
  };
  readonly maxEpochs?: number | undefined;
  readonly patience?: number | undefined;
}

/** All attacks of a full audit, those first whose loss would weigh most if time ran out. */
export function standardAttacks({
  adversary,
  maxEpochs = LEARNING_LIMITS.maxEpochs,
  patience = LEARNING_LIMITS.patience,
}: StandardAttackOptions): Attack[] {
  const { units, start, learningRate } = adversary;
  const limits = { maxEpochs, patience };
  const few = { trials: 60, pairs: 60, draws: 1, releases: [1] };
  const short = { limits, sentences: 800 };
  return [
    knownNoise(),
    knownNoiseSequence(),
    byNotes(freshAdversary({ shape: 'pooled', units: 128, limits })),
    start
      ? continuedAdversary({
          units,
          start,
          limits: { ...limits, ...(learningRate && { learningRate }) },
        })
      : freshTrainingAdversary({ units, limits }),
    closedList(),
    replacedList(),
    confirmation(),
    readKnownSentence(),
    byNotes(inversion({ limits })),
    byNotes(linkage({ limits })),
    attributeInference('sex', limits),
    attributeInference('age', limits),
    membership({ limits }),
    lookupTable(),
    baseline(knownNoise(few), 'raw-embeddings'),
    baseline(knownNoise({ ...few, trials: 400, pairs: 400 }), 'pure-noise'),
    freshAdversary({ shape: 'attention', units: 128, limits }),
    freshAdversary({ shape: 'bilstm', units: 64, limits }),
    freshTrainingAdversary({ units, task: 'T1', limits }),
    freshTrainingAdversary({ units, task: 'T2', limits }),
    baseline(knownNoise(few), 'noise-off'),
    baseline(knownNoiseSequence({ trials: 60, draws: 1 }), 'raw-embeddings'),
    baseline(knownNoiseSequence({ trials: 60, draws: 1 }), 'pure-noise'),
    baseline(closedList({ trials: 60, draws: 1 }), 'raw-embeddings'),
    baseline(closedList({ trials: 200, draws: 1 }), 'pure-noise'),
    baseline(confirmation({ notes: 40, draws: 1 }), 'raw-embeddings'),
    baseline(confirmation({ draws: 1 }), 'pure-noise'),
    baseline(readKnownSentence({ trials: 60, words: 200, draws: 1 }), 'raw-embeddings'),
    baseline(readKnownSentence({ words: 200, draws: 1 }), 'pure-noise'),
    baseline(freshTrainingAdversary({ units, task: 'T1', limits }), 'raw-embeddings'),
    baseline(freshAdversary({ shape: 'pooled', units: 128, limits }), 'raw-embeddings'),
    baseline(inversion(short), 'raw-embeddings'),
    baseline(inversion(short), 'pure-noise'),
    baseline(linkage({ limits }), 'raw-embeddings'),
    baseline(linkage({ limits }), 'pure-noise'),
    baseline(attributeInference('sex', limits), 'raw-embeddings'),
    baseline(attributeInference('sex', limits), 'pure-noise'),
    baseline(attributeInference('age', limits), 'raw-embeddings'),
    baseline(attributeInference('age', limits), 'pure-noise'),
    baseline(lookupTable({ trials: 60 }), 'raw-embeddings'),
    baseline(lookupTable(), 'pure-noise'),
  ];
}
