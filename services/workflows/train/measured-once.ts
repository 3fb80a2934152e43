import { writeAtomically } from '../../../platform/files/draft-file.js';
import { readJsonFile } from '../../../platform/files/json-file.js';
import { TacetError } from '../../../proto/errors.js';

/** A result that `file` keeps: read where it is there, else measured and written. */
export async function onceMeasured<T>(file: string, measure: () => Promise<T>): Promise<T> {
  const kept = await earlier(file);
  if (kept !== undefined) return kept as T;
  const result = await measure();
  await writeAtomically(file, [Buffer.from(`${JSON.stringify(result, null, 1)}\n`)]);
  return result;
}

async function earlier(file: string): Promise<unknown> {
  const stated = { what: 'result', code: 'config-invalid' } as const;
  return readJsonFile(file, stated).catch((error) => {
    if (error instanceof TacetError && error.code === 'file-not-found') return undefined;
    throw error;
  });
}
