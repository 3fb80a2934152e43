import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { appendFile, chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Piece } from '../../../../models/certification/common-pieces.js';
import type { Vocabulary } from '../../../../models/embeddings/vocabulary.js';
import { writeFailure } from '../../../../platform/system-error.js';
import { TacetError } from '../../../../proto/errors.js';
import { jsonIn } from '../../../../proto/json-text.js';
import type { LedgerKey } from '../ledger/ledger-key.js';

const FILE = 'release-map.jsonl';

/** A piece of one of the sentences that left together, by its number. */
export interface ReleasedPiece extends Piece {
  readonly sentence: number;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Line {
  /** SHA-256 of a segment in hex. */
  readonly segment: string;
  /** `Placed` as JSON in base64: nonce, ciphertext and tag, with the segment's digest as what is authenticated besides. */
  readonly sealed: string;
}

interface Placed {
  /** The name of each sentence that left with it. */
  readonly sentences: readonly string[];
  /** In the order of the segment: the number of the sentence in `sentences`, the first token, and the one behind the last. */
  readonly pieces: readonly (readonly [sentence: number, start: number, end: number])[];
}

/** One release of a sentence: the pieces of it that left, and where in the segment each is. */
export interface SentenceRelease {
  readonly segment: string;
  readonly pieces: readonly (Piece & { readonly index: number })[];
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
 * Which piece in a segment is of which sentence of the notes, so that an institution can attack its
 * own contribution before it leaves. Kept only where asked for, beside the ledger, mode 0600, encrypted and
 * named by hashes under the ledger's key; never uploaded. Whoever has it and the key joins the pieces of a sentence
 * again, and with the notes undoes the shuffle, so delete it after the audit.
 */
export async function keepReleases(
  home: string,
  segment: string,
  sentences: readonly string[],
  pieces: readonly ReleasedPiece[],
  key: LedgerKey,
): Promise<void> {
  const file = join(home, FILE);
  const placed = pieces.map(({ sentence, start, end }) => [sentence, start, end] as const);
  const line: Line = { segment, sealed: seal({ sentences, pieces: placed }, segment, key) };
  try {
    await appendFile(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    await chmod(file, 0o600);
  } catch (error) {
    throw writeFailure(error, file);
  }
}

/**
 * The releases of each sentence, by its name, the last one last. Throws `file-not-found` where no map was
 * kept and `file-unreadable` where it is damaged.
 */
export async function readReleases(
  home: string,
  key: LedgerKey,
): Promise<Map<string, SentenceRelease[]>> {
  const file = join(home, FILE);
  const text = await readFile(file, 'utf8').catch(() => {
    throw new TacetError(
      'file-not-found',
      `${file}: no map of releases; encode with \`--keep-map\` to attack a contribution afterwards`,
    );
  });
  const lines = text
    .split('\n')
    .flatMap((line, at) => (line === '' ? [] : lineOf(`${file}, line ${at + 1}`, line, key)));
  const releases = new Map<string, SentenceRelease[]>();
  for (const { segment, sentences, pieces } of lines) {
    const own = sentences.map((): (Piece & { index: number })[] => []);
    for (const [index, [sentence, start, end]] of pieces.entries())
      own[sentence]?.push({ index, start, end });
    for (const [sentence, name] of sentences.entries()) {
      const known = releases.get(name) ?? [];
      releases.set(name, [...known, { segment, pieces: own[sentence] ?? [] }]);
    }
  }
  return releases;
}

function lineOf(where: string, text: string, key: LedgerKey): Placed & Pick<Line, 'segment'> {
  const line = jsonIn(text) as Partial<Line> | undefined;
  const { segment, sealed } = line ?? {};
  if (segment === undefined || sealed === undefined)
    throw new TacetError(
      'file-unreadable',
      `${where}: ${line ? 'an earlier version wrote it; remove the line' : 'expected JSON; the line was not written to its end'}`,
    );
  try {
    return { segment, ...opened(sealed, segment, key) };
  } catch (cause) {
    const why =
      'not encrypted with the key of the ledger in this home, or damaged; remove the line';
    throw new TacetError('file-unreadable', `${where}: ${why}`, { cause });
  }
}

function seal(placed: Placed, segment: string, key: LedgerKey): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key.mapKey(), nonce).setAAD(Buffer.from(segment));
  const hidden = [cipher.update(JSON.stringify(placed), 'utf8'), cipher.final()];
  return Buffer.concat([nonce, ...hidden, cipher.getAuthTag()]).toString('base64');
}

/** Throws where it was sealed by another key, for another segment, or was changed since. */
function opened(sealed: string, segment: string, key: LedgerKey): Placed {
  const bytes = Buffer.from(sealed, 'base64');
  const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(-TAG_BYTES)];
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv(CIPHER, key.mapKey(), nonce, options);
  decipher.setAAD(Buffer.from(segment)).setAuthTag(tag);
  const hidden = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
  const text = Buffer.concat([decipher.update(hidden), decipher.final()]).toString();
  return JSON.parse(text) as Placed;
}
