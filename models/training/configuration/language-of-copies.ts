import type { TrainingConfig } from './config.js';

/**
 * The language whose common entities and words stand in the copies that a training learns from beside the notes
 * (`replacedCopies`, `phiconCopies`); undefined where none is stated, or nothing is copied.
 */
export function languageOfCopies(
  { language }: { readonly language?: string | undefined },
  { augmentation: { replaced, alpha } }: Pick<TrainingConfig, 'augmentation'>,
): string | undefined {
  return replaced > 0 || alpha > 0 ? language : undefined;
}
