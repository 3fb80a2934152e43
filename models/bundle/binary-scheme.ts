import { type LabelScheme, loadLabelScheme } from '../text/label-scheme.js';

let loaded: LabelScheme | undefined;

/** `phi-binary`: PHI or not, which the labels of every other scheme say too. */
export function binaryScheme(): LabelScheme {
  loaded ??= loadLabelScheme('phi-binary');
  return loaded;
}

/** Whether a scheme has its labels, whatever it maps to them. */
export function isBinary({ digest }: Pick<LabelScheme, 'digest'>): boolean {
  return digest === binaryScheme().digest;
}

/** Labels [T] of any scheme as those of `phi-binary`: O stays, every B is one, every I is one. */
export function binaryLabels(labels: Uint8Array): Uint8Array {
  return labels.map((label) => (label === 0 ? 0 : 2 - (label % 2)));
}
