import { jsonIn } from '../../proto/json-text.js';
import type { Validator } from '../../proto/validator.js';
import { writeAtomically } from './draft-file.js';
import { textIfThere } from './optional-file.js';

/** What a state file says; undefined where there is none. Throws what `parse` does, and as `textIfThere`. */
export async function readState<T>(file: string, parse: Validator<T>): Promise<T | undefined> {
  const text = await textIfThere(file);
  return text === undefined ? undefined : parse(jsonIn(text));
}

/** Puts a state file in the place of an older one, whole and durably, for its owner alone. */
export function writeState(file: string, value: unknown): Promise<void> {
  return writeAtomically(file, `${JSON.stringify(value)}\n`, { isPrivate: true });
}
