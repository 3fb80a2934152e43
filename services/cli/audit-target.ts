import type { AuditTarget } from '../../models/attacks/target.js';
import { findCandidates } from '../../models/embeddings/candidates.js';
import type { Progress } from '../../models/progress.js';
import { Random } from '../../models/tensor/random.js';
import type { Document } from '../../models/text/document.js';
import { textExamples } from '../../models/training/examples.js';
import { phiWords } from '../../models/training/recipes.js';
import { splitOff } from '../../models/training/split.js';
import type { EncodingModel } from '../encoder/encoding-model.js';

interface TargetOptions {
  readonly seed: number;
  readonly neighbours: number;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** Splits an auditor's notes by document: 60 % to attack with, 10 % to stop by, 30 % to measure on. */
export async function auditTarget(
  { representation, vocabulary, scheme }: Omit<EncodingModel, 'digest'>,
  documents: readonly Document[],
  { seed, neighbours, signal, progress }: TargetOptions,
): Promise<AuditTarget> {
  const random = new Random(seed).fork('audit');
  const { train: rest, validation: test } = splitOff(documents, 0.3, random);
  const { train, validation } = splitOff(rest, 1 / 7, random);
  const parts = {
    train: textExamples(train, scheme, vocabulary),
    validation: textExamples(validation, scheme, vocabulary),
    test: textExamples(test, scheme, vocabulary),
  };
  const words = phiWords(parts.train, parts.validation, parts.test);
  const candidates = await findCandidates(vocabulary, words, neighbours, { signal, progress });
  return { representation, vocabulary, candidates, labels: scheme.labels, ...parts };
}
