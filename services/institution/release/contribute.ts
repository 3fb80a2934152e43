/**
 * From the outbox to the pool. The contribution is signed and stored before its first byte leaves, so
 * that every retry sends the same bytes under the same signature, whichever process makes it.
 */

import type { KeyObject } from 'node:crypto';
import type { Progress } from '../../../platform/progress.js';
import { MAX_SEGMENTS, signContribution } from '../../../proto/contribution.js';
import { sha256Hex } from '../../../proto/digest.js';
import { type Envelope, keyIdOf } from '../../../proto/dsse.js';
import { TacetError } from '../../../proto/errors.js';
import { keptTypesIn } from '../../../proto/kept-types.js';
import { PATHS, pathTo } from '../../../proto/paths.js';
import type { ServiceClient } from '../../client/client.js';
import { type Home, withHome } from './home/home.js';
import type { SegmentRow } from './ledger/ledger-segments.js';

export interface ContributeOptions {
  readonly pool: ServiceClient;
  readonly privateKey: KeyObject;
  /** The institution's name at the pool. */
  readonly institution: string;
  /** What the pool may do with the contribution. */
  readonly terms: string;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

/** A contribution that the pool has promised to keep. */
export interface AcceptedContribution {
  readonly id: string;
  readonly model: string;
  readonly segments: number;
  readonly sentences: number;
  readonly tokens: number;
  readonly bytes: number;
}

interface PendingContribution {
  readonly digest: string;
  readonly envelope: Envelope;
  readonly segments: readonly SegmentRow[];
}

/**
 * Contributes everything in the outbox of `home`, one contribution a model. Where it fails, the
 * outbox keeps bytes and signature; the next call goes on from there.
 */
export function contribute(
  home: string,
  options: ContributeOptions,
): Promise<AcceptedContribution[]> {
  return withHome(home, { signal: options.signal }, async (opened) => {
    const accepted = await recogniseAccepted(opened, options);
    await opened.ledger.exclusively(() => signPending(opened, options), options.signal);
    for (const pending of pendingContributions(opened)) {
      accepted.push(await submit(pending, opened, options));
    }
    return accepted;
  });
}

/**
 * Contributions that another key signed are about to be signed anew. The pool may have accepted one
 * and its answer was lost: signed anew, its segments would belong to another contribution for ever.
 */
async function recogniseAccepted(
  opened: Home,
  { pool, privateKey, signal }: ContributeOptions,
): Promise<AcceptedContribution[]> {
  const accepted: AcceptedContribution[] = [];
  for (const pending of pendingContributions(opened)) {
    if (isSignedBy(privateKey, pending.envelope)) continue;
    const id = idOf(pending.envelope);
    if (await isHeld(pool, id, signal)) accepted.push(await settle(pending, id, opened, signal));
  }
  return accepted;
}

async function isHeld(
  pool: ServiceClient,
  id: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    const path = pathTo(PATHS.contribution, { id });
    return (await pool.json<{ id: string }>('GET', path, undefined, { signal })).id === id;
  } catch (error) {
    if (error instanceof TacetError && error.code === 'not-found') return false;
    throw error;
  }
}

/** Signs what is unsigned, and anew what another key signed and no pool has accepted. */
function signPending({ ledger }: Home, options: ContributeOptions): void {
  const { privateKey, institution, terms } = options;
  for (const { digest, envelope } of ledger.segments.pendingContributions()) {
    if (!isSignedBy(privateKey, parseEnvelope(envelope))) ledger.segments.dropContribution(digest);
  }
  for (const segments of grouped(ledger.segments.unclaimed())) {
    const { model, scheme, certified, inventory, keptTypes, copies } = segments[0] as SegmentRow;
    const envelope = signContribution(
      {
        model,
        segments: segments.map(({ digest }) => digest),
        counts: { sentences: total(segments, 'sentences'), tokens: total(segments, 'tokens') },
        labelScheme: scheme,
        limit: certified,
        entities: inventory === null ? 'kept' : 'replaced',
        inventory,
        keptTypes: keptTypesIn(keptTypes),
        copies,
        terms,
        institution,
        time: new Date().toISOString(),
      },
      privateKey,
    );
    const bytes = Buffer.from(JSON.stringify(envelope));
    const digest = sha256Hex(bytes);
    ledger.segments.recordContribution({ digest, envelope: bytes }, segments);
  }
}

function pendingContributions({ ledger }: Home): PendingContribution[] {
  return ledger.segments.pendingContributions().map(({ digest, envelope }) => ({
    digest,
    envelope: parseEnvelope(envelope),
    segments: ledger.segments.of(digest),
  }));
}

async function submit(
  pending: PendingContribution,
  opened: Home,
  { pool, signal, progress }: ContributeOptions,
): Promise<AcceptedContribution> {
  const { envelope, segments } = pending;
  const { outbox } = opened;
  const bytes = total(segments, 'bytes');
  let uploaded = 0;
  for (const segment of segments) {
    await pool.upload(
      await outbox.read(segment.digest),
      { digest: segment.digest, kind: 'segment' },
      { signal, resumeFile: outbox.resumeFile },
    );
    uploaded += segment.bytes;
    progress?.({ step: 'upload', done: uploaded, total: bytes, unit: 'bytes' });
  }
  const { id } = await pool.json<{ id: string }>('POST', PATHS.contributions, envelope, { signal });
  // Whatever else the pool has, it has not promised to keep this.
  if (id !== idOf(envelope))
    throw new TacetError(
      'server-failed',
      `contribution ${idOf(envelope)} was answered as if it were ${id}; the outbox keeps it`,
    );
  return settle(pending, id, opened, signal);
}

/** The pool has promised to keep the contribution: its bytes are needed here no longer. */
async function settle(
  { digest, segments }: PendingContribution,
  id: string,
  { ledger, outbox }: Home,
  signal: AbortSignal | undefined,
): Promise<AcceptedContribution> {
  await ledger.exclusively(() => ledger.segments.recordAcceptance(digest, id), signal);
  for (const segment of segments) await outbox.remove(segment.digest);
  return {
    id,
    model: segments[0]?.model ?? '',
    segments: segments.length,
    sentences: total(segments, 'sentences'),
    tokens: total(segments, 'tokens'),
    bytes: total(segments, 'bytes'),
  };
}

/**
 * By model, label scheme, certified limit, inventory, kept types and copies, in lists that one contribution can hold. Each
 * segment is of the least number of documents, so each contribution is, too.
 */
function grouped(segments: readonly SegmentRow[]): SegmentRow[][] {
  const groups = new Map<string, SegmentRow[]>();
  for (const segment of segments) {
    const { model, scheme, certified, inventory, keptTypes, copies } = segment;
    const key = `${model} ${scheme} ${certified} ${inventory} ${keptTypes} ${copies}`;
    groups.set(key, [...(groups.get(key) ?? []), segment]);
  }
  return [...groups.values()].flatMap((group) => {
    const lists: SegmentRow[][] = [];
    for (let from = 0; from < group.length; from += MAX_SEGMENTS)
      lists.push(group.slice(from, from + MAX_SEGMENTS));
    return lists;
  });
}

function isSignedBy(privateKey: KeyObject, { signatures }: Envelope): boolean {
  return signatures.some(({ keyid }) => keyid === keyIdOf(privateKey));
}

/** What a pool calls the contribution: the SHA-256 of what was signed. */
function idOf({ payload }: Envelope): string {
  return sha256Hex(Buffer.from(payload, 'base64'));
}

function parseEnvelope(bytes: Buffer): Envelope {
  return JSON.parse(bytes.toString('utf8'));
}

function total(segments: readonly SegmentRow[], count: 'sentences' | 'tokens' | 'bytes'): number {
  return segments.reduce((sum, segment) => sum + segment[count], 0);
}
