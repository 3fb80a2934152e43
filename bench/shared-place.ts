import { randomUUID } from 'node:crypto';
import type { CatalogPlace } from '../pool-store/catalog/open-catalog.js';
import { BenchSchema } from './bench-schema.js';

/** A schema of PostgreSQL and a prefix of a bucket, where the servers of one pool keep what they share. */
export class SharedPlace {
  private constructor(
    private readonly schema: BenchSchema,
    readonly blobs: string,
  ) {}

  /** In `TACET_TEST_CATALOG` and `TACET_TEST_BLOBS`; says so, and gives none, where they name nothing. */
  static async given(bench: string): Promise<SharedPlace | undefined> {
    const { TACET_TEST_CATALOG: server, TACET_TEST_BLOBS: bucket } = process.env;
    if (server === undefined || bucket === undefined) {
      const needed =
        'TACET_TEST_CATALOG and TACET_TEST_BLOBS, as test/scale/with-postgres and object-gateway give them';
      process.stderr.write(`skipped: ${bench} needs ${needed}\n`);
      return undefined;
    }
    const [address, parameters] = bucket.split('?');
    const blobs = `${address}/${randomUUID()}?${parameters ?? ''}`;
    return new SharedPlace(await BenchSchema.on(server), blobs);
  }

  get catalog(): CatalogPlace {
    return this.schema.place;
  }

  drop(): Promise<void> {
    return this.schema.drop();
  }
}
