import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Validator } from '../../proto/validator.js';
import { readFailure, systemCode, writeFailure } from '../system-error.js';
import { writeDurably } from './durable.js';
import { syncDirectory } from './durable-file.js';

/** What a state file says; undefined where there is none. Throws what `parse` does. */
export async function readState<T>(file: string, parse: Validator<T>): Promise<T | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw readFailure(error, file);
  }
  return parse(parsed(text));
}

/** Puts a state file in the place of an older one, whole and durably, for its owner alone. */
export async function writeState(file: string, value: unknown): Promise<void> {
  const draft = `${file}.${randomUUID()}.partial`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeDurably(draft, `${JSON.stringify(value)}\n`, 0o600);
    await rename(draft, file);
    await syncDirectory(dirname(file));
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw writeFailure(error, file);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
