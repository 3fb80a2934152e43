import type { Random } from '../../models/tensor/random.js';
import type { Document } from '../../models/text/document.js';
import type { LabelScheme } from '../../models/text/label-scheme.js';
import { replacedCopies } from '../../models/training/replaced-copies.js';
import type { Site } from '../runs/sites.js';
import type { MatrixOptions } from './matrix.js';

/** Copies of a place's notes with other entities of its own, as many as the configuration draws, by the chance of its name. */
export function placeCopies(
  { name, documents }: Site,
  scheme: LabelScheme,
  { config, language }: Pick<MatrixOptions, 'config' | 'language'>,
  random: Random,
): Promise<Document[][]> {
  const toCopy = { documents, scheme, language, corpusName: name };
  return replacedCopies(toCopy, config, random.fork(`replaced copies of ${name}`));
}
