import { readFile } from 'node:fs/promises';
import { jsonIn } from '../../proto/json-text.js';
import type { Validator } from '../../proto/validator.js';
import { readFailure, systemCode } from '../system-error.js';
import { writeAtomically } from './draft-file.js';

/** What a state file says; undefined where there is none. Throws what `parse` does. */
export async function readState<T>(file: string, parse: Validator<T>): Promise<T | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw readFailure(error, file);
  }
  return parse(jsonIn(text));
}

/** Puts a state file in the place of an older one, whole and durably, for its owner alone. */
export function writeState(file: string, value: unknown): Promise<void> {
  return writeAtomically(file, `${JSON.stringify(value)}\n`, { isPrivate: true });
}
