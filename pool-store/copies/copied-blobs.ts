import { inParallel } from '../../platform/parallel.js';
import { TacetError } from '../../proto/errors.js';
import type { Blobs } from '../blobs/blobs.js';
import { digestOf } from '../blobs/digest-of.js';
import { copyBlob } from './copy-blob.js';

export type BlobStep = 'copy' | 'verify';

interface Options {
  readonly signal?: AbortSignal | undefined;
  readonly onBlob?: ((step: BlobStep, done: number, total: number) => void) | undefined;
}

const AT_A_TIME = 4;

/** Copies those of these blobs that are not there. Says how many, and which the source cannot give. */
export async function copyLacking(
  from: Blobs,
  to: Blobs,
  digests: readonly string[],
  { signal, onBlob }: Options,
): Promise<{ copied: number; lacking: string[] }> {
  const there = new Set<string>();
  for await (const digest of to.digests()) there.add(digest);
  const lacking: string[] = [];
  let done = 0;
  await inParallel(digests, AT_A_TIME, async (digest) => {
    signal?.throwIfAborted();
    if (!there.has(digest) && !(await copyBlob(from, to, digest))) lacking.push(digest);
    onBlob?.('copy', ++done, digests.length);
  });
  const copied = digests.filter((digest) => !there.has(digest)).length - lacking.length;
  return { copied, lacking };
}

/**
 * Reads every byte of blobs that were copied. One that is not what its name says is copied anew where `mends` says so,
 * once. Returns those that were not, or cannot be mended since the source has other bytes, too. Throws `store-damaged`
 * where the target does not give back what it was given.
 */
export async function readBack(
  from: Blobs,
  to: Blobs,
  digests: readonly string[],
  { signal, onBlob, mends }: Options & { readonly mends: boolean },
): Promise<string[]> {
  const damaged: string[] = [];
  let done = 0;
  await inParallel(digests, AT_A_TIME, async (digest) => {
    signal?.throwIfAborted();
    if (!(await isWhole(to, digest)) && !(mends && (await mend(from, to, digest))))
      damaged.push(digest);
    onBlob?.('verify', ++done, digests.length);
  });
  return damaged;
}

async function mend(from: Blobs, to: Blobs, digest: string): Promise<boolean> {
  await to.erase(digest);
  if (!(await copyBlob(from, to, digest))) return false;
  if (await isWhole(to, digest)) return true;
  throw new TacetError(
    'store-damaged',
    `blob ${digest} is not what was written where it was copied to; look after its disk`,
  );
}

async function isWhole(blobs: Blobs, digest: string): Promise<boolean> {
  try {
    return (await digestOf(blobs.read(digest))) === digest;
  } catch (error) {
    if (error instanceof TacetError && error.code === 'not-found') return false;
    throw error;
  }
}
