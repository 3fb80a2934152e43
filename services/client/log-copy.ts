import type { KeyObject } from 'node:crypto';
import { writeAtomically } from '../../platform/files/draft-file.js';
import { textIfThere } from '../../platform/files/optional-file.js';
import { firstBroken, GENESIS, type LogEntry } from '../../pool-store/log/log-chain.js';
import type { Envelope } from '../../proto/dsse.js';
import { publicKeyOf } from '../../proto/ed25519-key.js';
import { TacetError } from '../../proto/errors.js';
import { type LogHead, openLogHead } from '../../proto/log-head.js';
import { PATHS } from '../../proto/paths.js';
import type { CallOptions } from './call-options.js';
import type { ServiceClient } from './client.js';

/** A server's log as somebody else keeps it, with the head that the server signed. */
export interface LogCopy {
  /** The 32 raw bytes of the server's key, in base64. */
  readonly publicKey: string;
  readonly head: Envelope;
  readonly entries: readonly LogEntry[];
}

type SignedHead = LogHead & { readonly publicKey: string; readonly envelope: Envelope };

/**
 * Fetches a server's log up to its signed head, from where `known` ends. Throws `log-broken` where
 * the server now tells another story than it did, or signs with another key.
 */
export async function fetchLog(
  server: ServiceClient,
  known: LogCopy | undefined,
  options: CallOptions,
): Promise<LogCopy> {
  const head = await server.json<SignedHead>('GET', PATHS.logHead, undefined, options);
  if (known && known.publicKey !== head.publicKey) {
    throw new TacetError('log-broken', 'the server signs its log with another key than before');
  }
  const entries = [...(known?.entries ?? [])];
  while (lastOf(entries).sequence < head.sequence) {
    const path = `${PATHS.log}?after=${lastOf(entries).sequence}`;
    const page = await server.json<LogEntry[]>('GET', path, undefined, options);
    const { sequence: before } = lastOf(entries);
    for (const entry of page)
      if (entry.sequence > before && entry.sequence <= head.sequence) entries.push(entry);
    if (lastOf(entries).sequence === before)
      throw new TacetError('log-broken', 'the log ends before its head');
  }
  const copy = { publicKey: head.publicKey, head: head.envelope, entries };
  verifyLog(copy, keyOf(copy));
  return copy;
}

/** Throws `log-broken` unless every entry follows and the last one is what `key` signed. */
export function verifyLog({ entries, head }: LogCopy, key: KeyObject): LogHead {
  const signed = openLogHead(head, key);
  const broken = firstBroken(entries);
  if (broken !== undefined) {
    throw new TacetError('log-broken', `entry ${broken} does not follow from the one before`);
  }
  const last = lastOf(entries);
  if (last.sequence === signed.sequence && last.hash === signed.hash) return signed;
  throw new TacetError(
    'log-broken',
    `the log ends with entry ${last.sequence}, ${last.hash}; ` +
      `the server signed entry ${signed.sequence}, ${signed.hash}`,
  );
}

/**
 * The key that the copy names; to trust it, compare it with one that came another way. Throws
 * `key-invalid`.
 */
export function keyOf({ publicKey }: LogCopy): KeyObject {
  return publicKeyOf(Buffer.from(publicKey, 'base64'));
}

/** A line for key and head, then a line an entry. */
export async function writeLogCopy(path: string, copy: LogCopy): Promise<void> {
  const { entries, ...first } = copy;
  const lines = [first, ...entries].map((line) => `${JSON.stringify(line)}\n`);
  await writeAtomically(path, lines.join(''));
}

/** Undefined where there is no file. Throws `log-broken` for what is no copy of a log, or `file-unreadable`. */
export async function readLogCopy(path: string): Promise<LogCopy | undefined> {
  const text = await textIfThere(path);
  if (text === undefined) return undefined;
  try {
    const [first, ...entries] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    if (typeof first.publicKey === 'string' && first.head) return { ...first, entries };
  } catch {
    // Said below.
  }
  throw new TacetError('log-broken', `${path} is no copy of a log, as tacet log fetch writes it`);
}

function lastOf(entries: readonly LogEntry[]): LogHead {
  return entries.at(-1) ?? GENESIS;
}
