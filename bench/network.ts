import { Deidentifier } from '../models/networks/deidentifier.js';
import {
  DEIDENTIFIER_DEFAULTS,
  type DeidentifierConfig,
} from '../models/networks/deidentifier-config.js';
import { Random } from '../models/tensor/random.js';
import { CASINGS } from '../models/text/casing.js';
import {
  BATCH_SENTENCES,
  type Batch,
  batchOf,
  lengthBuckets,
  paddedIds,
} from '../models/training/data/batch.js';
import type { TextExample } from '../models/training/data/examples.js';

/** Numbers a token that the first BiLSTM sees, the casing feature among them. */
const INPUTS = 300;
/** D, the length of a word vector. */
export const DIMENSION = INPUTS - CASINGS.length;
export const LABELS = 9;
const STEPS = 40;
const SEED = 1;

/** The network of docs/design.md (Speed): 300 in, two BiLSTM layers of 128 a direction, 9 labels, a CRF. */
export function deidentifier(): Deidentifier {
  const config = { ...DEIDENTIFIER_DEFAULTS, inputDimension: DIMENSION, labels: LABELS };
  return Deidentifier.create(config, new Random(SEED));
}

/** Of matrix products alone, for a token of a sentence. */
export function operationsOf({ units, layers }: DeidentifierConfig): number {
  const states = 2 * units;
  const inputs = (layer: number) => (layer === 0 ? INPUTS : states);
  const multiplications = Array.from({ length: layers }, (_, layer) => {
    return 4 * states * (inputs(layer) + units);
  });
  return 2 * multiplications.reduce((sum, each) => sum + each, states * LABELS);
}

/** 32 sentences of 40 words each, drawn from those given. */
export function denseBatch(sentences: readonly TextExample[]): Batch<TextExample> {
  const ids = sentences.flatMap((sentence) => [...sentence.ids]);
  const labels = sentences.flatMap((sentence) => [...sentence.labels]);
  const examples = Array.from({ length: BATCH_SENTENCES }, (_, i) => {
    const [from, to] = [i * STEPS, (i + 1) * STEPS];
    return {
      ids: Int32Array.from(ids.slice(from, to)),
      labels: Uint8Array.from(labels.slice(from, to)),
      documentIndex: 0,
    };
  });
  return batchOf(examples);
}

/** Some batches of an epoch over sentences of their true lengths. */
export function sentenceBatches(
  sentences: readonly TextExample[],
  count: number,
): Batch<TextExample>[] {
  return [...lengthBuckets(sentences, BATCH_SENTENCES, new Random(SEED))].slice(0, count);
}

/** [B·T] */
export function idsOf({ examples, steps }: Batch<TextExample>): Int32Array {
  return paddedIds(
    examples.map((example) => example.ids),
    steps,
  );
}
