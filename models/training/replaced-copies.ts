import { createInventory } from '../surrogates/create-inventory.js';
import { Inventory } from '../surrogates/inventory.js';
import { replaceEntities } from '../surrogates/replacement.js';
import type { Random } from '../tensor/random.js';
import type { Document } from '../text/document.js';
import type { LabelScheme } from '../text/label-scheme.js';
import type { TrainingConfig } from './configuration/config.js';

export interface NotesToCopy {
  readonly documents: readonly Document[];
  readonly scheme: LabelScheme;
  /** What people call these notes. */
  readonly corpusName: string;
  /** BCP 47, of the notes. */
  readonly language?: string | undefined;
}

/**
 * Whole copies of notes, as many as a configuration draws, with entities of these very notes and of their language in
 * the place of their own.
 */
export async function replacedCopies(
  { documents, scheme, corpusName, language }: NotesToCopy,
  { augmentation: { replaced, drawn } }: Pick<TrainingConfig, 'augmentation'>,
  random: Random,
): Promise<Document[][]> {
  if (replaced === 0) return [];
  const corpora = [{ name: corpusName, documents }];
  const languages = language === undefined ? [] : [language];
  const inventory = new Inventory(await createInventory(scheme, { corpora, languages }));
  return Array.from({ length: Math.max(replaced, drawn) }, () =>
    documents.map((document) => replaceEntities(document, scheme, inventory, random)),
  );
}
