import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { TacetError } from '../../../proto/errors.js';

/** Marks a directory as a demo's own, which a later demo may replace. */
const MARKER = '.tacet-demo';
const MARK = 'This directory was made by tacet demo; the next demo replaces it.\n';

/** An empty directory that others cannot read, since notes lie in it; only a former demo's is replaced. */
export async function freshDirectory(directory: string): Promise<void> {
  const marker = path.join(directory, MARKER);
  const former = await readFile(marker, 'utf8').catch(() => null);
  if (former === MARK) await rm(directory, { recursive: true });
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (cause) {
    throw new TacetError(
      'file-exists',
      `${directory} exists already and is no former demo, or cannot be made; choose another with --out`,
      { cause },
    );
  }
  await writeFile(marker, MARK);
}
