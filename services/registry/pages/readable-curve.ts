import { CURVE_FILE } from '../../../models/bundle/bundle-files.js';
import { readTrainingCurve, type TrainingCurve } from '../../../models/bundle/training-curve.js';
import type { Store } from '../../../pool-store/store.js';
import { readText } from '../bundle-text.js';

/** The training curve of a bundle; undefined where it brings none, null where it cannot be read. */
export async function readableCurve(
  store: Store,
  files: Readonly<Record<string, string>>,
): Promise<TrainingCurve | null | undefined> {
  if (files[CURVE_FILE] === undefined) return undefined;
  try {
    return readTrainingCurve(await readText(store, files, CURVE_FILE));
  } catch {
    return null;
  }
}
