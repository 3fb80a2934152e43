import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CatalogPlace } from '../../pool-store/catalog/open-catalog.js';
import type { CopyPlace } from '../../pool-store/copies/copy-store.js';
import { BucketServer } from './blobs/s3/bucket-server.js';
import { catalogFor, SERVER } from './opened-store.js';
import { newPlace, TEST_BUCKET } from './test-place.js';

/** Where a store may have its records, and where its blobs. */
export interface Kind {
  readonly name: string;
  readonly isInPostgres: boolean;
  readonly isInBucket: boolean;
}

const ALL_KINDS: readonly Kind[] = [false, true].flatMap((isInPostgres) =>
  [false, true].map((isInBucket) => ({
    name: `${isInPostgres ? 'PostgreSQL' : 'SQLite'} and ${isInBucket ? 'a bucket' : 'disk'}`,
    ...{ isInPostgres, isInBucket },
  })),
);

export const kindOf = (name: string) => ALL_KINDS.find((kind) => kind.name === name) as Kind;

/** Those that can be had here. */
export const KINDS = ALL_KINDS.filter(({ isInPostgres }) => !isInPostgres || SERVER !== undefined);

/** Buckets: those of the tests, or of a server in memory where there are none. */
export class Buckets {
  #next = 0;

  private constructor(
    private readonly root: string,
    private readonly address: string | undefined,
  ) {}

  static async open(root: string): Promise<Buckets> {
    if (TEST_BUCKET !== undefined) return new Buckets(root, undefined);
    const credentials = join(root, 'credentials');
    writeFileSync(credentials, 'AWS_ACCESS_KEY_ID=key\nAWS_SECRET_ACCESS_KEY=secret\n');
    chmodSync(credentials, 0o600);
    const server = new BucketServer();
    return new Buckets(root, `${await server.start()}&credentials=${credentials}`);
  }

  /** A prefix that nobody has used. */
  get empty(): string {
    return this.address?.replace('/here?', `/here/${++this.#next}?`) ?? newPlace();
  }

  /** A place of a kind that holds nothing yet, with its directory under the root. */
  async placeOf({ isInPostgres, isInBucket }: Kind, name: string): Promise<CopyPlace> {
    const directory = join(this.root, name);
    return {
      directory,
      catalog: isInPostgres ? await catalogFor(directory) : undefined,
      blobs: isInBucket ? this.empty : 'disk',
    };
  }
}

export interface KilledCopy {
  readonly from: string;
  readonly catalog?: CatalogPlace | undefined;
  readonly to: CopyPlace;
  /** Where it is killed: at so many blobs of a step. */
  readonly step: 'copy' | 'verify';
  readonly done: number;
}

/** Copies a store in a process of its own, which is killed on the way. */
export async function copyKilled(plan: KilledCopy): Promise<void> {
  const script = fileURLToPath(new URL('copy-killed.js', import.meta.url));
  const child = spawn(process.execPath, ['--no-warnings', script, JSON.stringify(plan)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const [code, signal] = await once(child, 'exit');
  if (signal !== 'SIGKILL') throw new Error(`the copy ended with ${code} before it was killed`);
}
