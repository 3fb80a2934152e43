import { appendFile, chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { writeFailure } from '../../../platform/system-error.js';
import { TacetError } from '../../../proto/errors.js';
import type { LedgerKey } from './ledger-key.js';

const FILE = 'release-map.jsonl';

interface Line {
  /** SHA-256 of a segment in hex. */
  readonly segment: string;
  /** The name of each of its sentences, in the order of the segment. */
  readonly sentences: readonly string[];
}

/** Where a release is: which segment, and which of its sentences. */
export interface ReleasePlace {
  readonly segment: string;
  readonly index: number;
}

/** What the map knows a sentence by: a keyed hash, in hex, of all that the model sees of it. */
export function releaseName(
  ids: Int32Array,
  vocabulary: Pick<Vocabulary, 'key' | 'casing'>,
  key: LedgerKey,
): string {
  const seen = Array.from(ids, (id) => `${vocabulary.key(id)}/${vocabulary.casing(id)}`);
  return key.hashSentence(seen).toString('hex');
}

/**
 * Which sentence of a segment is of which sentence of the notes, so that an institution can attack its
 * own contribution before it leaves. Kept only where asked for, beside the ledger, mode 0600, as hashes
 * under the ledger's key; never uploaded. Whoever has it, the key and the notes undoes the shuffle, so
 * delete it after the audit.
 */
export async function keepReleases(
  home: string,
  segment: string,
  sentences: readonly string[],
): Promise<void> {
  const file = join(home, FILE);
  const line: Line = { segment, sentences };
  try {
    await appendFile(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    await chmod(file, 0o600);
  } catch (error) {
    throw writeFailure(error, file);
  }
}

/**
 * Where each sentence was released, by its name, the last place last. Throws `file-not-found` where no map was
 * kept and `file-unreadable` where it is damaged.
 */
export async function readReleases(home: string): Promise<Map<string, ReleasePlace[]>> {
  const file = join(home, FILE);
  const text = await readFile(file, 'utf8').catch(() => {
    throw new TacetError(
      'file-not-found',
      `${file}: no map of releases; encode with \`--keep-map\` to attack a contribution afterwards`,
    );
  });
  const lines = text.split('\n').flatMap((line, at) => (line === '' ? [] : lineOf(file, at, line)));
  const places = new Map<string, ReleasePlace[]>();
  for (const { segment, sentences } of lines)
    for (const [index, name] of sentences.entries()) {
      const known = places.get(name);
      if (known) known.push({ segment, index });
      else places.set(name, [{ segment, index }]);
    }
  return places;
}

function lineOf(file: string, at: number, text: string): Line {
  try {
    return JSON.parse(text) as Line;
  } catch {
    throw new TacetError(
      'file-unreadable',
      `${file}, line ${at + 1}: expected JSON; the line was not written to its end`,
    );
  }
}
