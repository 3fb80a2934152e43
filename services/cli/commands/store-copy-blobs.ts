import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { makeDirectory } from '../../../platform/files/durable-folder.js';
import { blobsAt, ON_DISK } from '../../../pool-store/blobs/blob-place.js';
import type { Blobs } from '../../../pool-store/blobs/blobs.js';
import { probeBucket } from '../../../pool-store/blobs/s3/bucket-probe.js';
import { S3Blobs } from '../../../pool-store/blobs/s3/s3-blobs.js';
import { copyBlobs } from '../../../pool-store/copies/copy-blobs.js';
import { TacetError } from '../../../proto/errors.js';
import { contextOf } from '../context.js';

/** `tacet store copy-blobs`: moving between disk and bucket. */
export function storeCopyBlobsCommand(): Command {
  return new Command('copy-blobs')
    .description(
      'copy every blob, verified, between data directories (their blobs/) and buckets ' +
        '(s3://BUCKET/PREFIX?endpoint=URL&credentials=FILE); again, it copies the new',
    )
    .argument('<from>', 'a data directory, or the address of a bucket')
    .argument('<to>', 'the same')
    .option('--mirror', 'erase at the target what the source does not hold: what was withdrawn')
    .action(copy);
}

async function copy(
  from: string,
  to: string,
  { mirror = false }: { mirror?: boolean },
  command: Command,
): Promise<void> {
  const { signal, progress, result } = contextOf(command);
  const source = sourceAt(from);
  const target = await targetAt(to);
  const made = await copyBlobs(source, target, {
    ...{ signal, mirror },
    onBlob: (done, total) => progress({ step: 'copy', done, total, unit: 'blobs' }),
  });
  const { blobs, copied, damaged, extra } = made;
  const fate = mirror ? 'erased' : 'not at the source; --mirror erases it';
  result(made, [
    `${blobs} blobs, ${copied} of them copied now`,
    ...damaged.map((digest) => `not copied, for it is damaged: ${digest}`),
    ...extra.map((digest) => `${fate}: ${digest}`),
  ]);
  if (damaged.length > 0)
    throw new TacetError('store-damaged', `${damaged.length} blobs could not be copied`);
}

function sourceAt(place: string): Blobs {
  if (isBucket(place)) return blobsAt(place, '');
  if (existsSync(join(place, 'blobs'))) return blobsAt(ON_DISK, place);
  throw new TacetError('file-not-found', `${place} holds no blobs; give a server's --data`);
}

async function targetAt(place: string): Promise<Blobs> {
  if (!isBucket(place)) {
    for (const path of [place, join(place, 'blobs')]) makeDirectory(path);
    return blobsAt(ON_DISK, place);
  }
  const blobs = blobsAt(place, '');
  if (blobs instanceof S3Blobs) await probeBucket(blobs.bucket);
  return blobs;
}

function isBucket(place: string): boolean {
  return place.startsWith('s3:');
}
