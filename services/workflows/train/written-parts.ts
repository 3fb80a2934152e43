import path from 'node:path';
import { makeFolder } from '../../../models/text/corpus/output-file.js';
import { partsOf } from '../../../models/text/corpus/write-corpus.js';
import { writeAtomically } from '../../../platform/files/draft-file.js';
import type { Site } from '../../../study/runs/sites.js';
import type { Context } from '../context.js';

/** Writes what each place learns from by a seed, `NAME-seed-N.jsonl`, for what else should learn from no more. */
export async function writeParts(
  places: readonly Site[],
  seed: number,
  directory: string,
  { signal }: Pick<Context, 'signal'>,
): Promise<void> {
  await makeFolder(directory);
  for (const { name, documents } of places) {
    const lines: string[] = [];
    for await (const line of partsOf(documents, 'jsonl', { signal })) lines.push(line);
    // The same again where it was there: a comparison that was stopped goes on.
    const file = path.join(directory, `${name}-seed-${seed}.jsonl`);
    await writeAtomically(file, lines.join(''), { isPrivate: true });
  }
}
