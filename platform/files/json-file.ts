import { readFile } from 'node:fs/promises';
import { type ErrorCode, TacetError } from '../../proto/errors.js';
import { requireJson } from '../../proto/json-text.js';

export interface JsonFileOptions {
  /** What there is none of, where the file is missing: `policy file`. */
  readonly what: string;
  /** The error where it holds no JSON. */
  readonly code: ErrorCode;
  /** What was expected then. */
  readonly expected?: string;
}

/** The value in a file of JSON, not yet checked. Throws `file-not-found`, or `code` where it holds none. */
export async function readJsonFile(
  file: string,
  { what, code, expected = 'JSON' }: JsonFileOptions,
): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw new TacetError('file-not-found', `${file}: no such ${what}`, { cause });
  });
  return requireJson(text, code, `${file}: expected ${expected}`);
}
