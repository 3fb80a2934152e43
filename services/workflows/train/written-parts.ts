import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writeCorpus } from '../../../models/text/corpus/write-corpus.js';
import type { Site } from '../../../study/sites.js';
import type { Context } from '../context.js';

/**
 * Writes what each place learns from by a seed, `NAME-seed-N.jsonl`, for what else should learn from no more. Throws
 * `file-exists`.
 */
export async function writeParts(
  places: readonly Site[],
  seed: number,
  directory: string,
  { signal }: Pick<Context, 'signal'>,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const { name, documents } of places) {
    const file = path.join(directory, `${name}-seed-${seed}.jsonl`);
    await writeCorpus(documents, file, 'jsonl', { signal });
  }
}
