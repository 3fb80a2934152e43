import { randomUUID } from 'node:crypto';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { apart, Batches } from '../../platform/batches.js';
import { groupedBy } from '../../platform/grouped-by.js';
import { TacetError } from '../../proto/errors.js';
import type { BlobContent, UploadParts } from '../blobs/blobs.js';
import { fileContent } from '../blobs/file-content.js';
import type { CatalogTransaction, Statements } from '../catalog/catalog.js';
import { sql } from '../catalog/kysely.js';
import { clock } from '../catalog/sql-dialect.js';
import { together } from '../catalog/together.js';
import { acceptUpload, isWorthless } from './accept-upload.js';
import { type Beginning, createAll, selected, uploadOf } from './create-uploads.js';
import type {
  Holdings,
  IncomingBytes,
  NewUpload,
  OpenUpload,
  OpenUploads,
  UploadRecovery,
} from './open-uploads.js';
import type { UploadExamination } from './upload-examination.js';
import type { UploadStore } from './upload-store.js';

/** Of uploads that are begun, or ended, in one transaction. */
const MOST_TOGETHER = 64;

/**
 * Uploads that any process goes on with: a row of the catalog for each, and its bytes as objects beside the blobs, one
 * for each request. Who moves the offset does so by comparing it first, so that of two requests that begin at one byte
 * one is kept. The last request moves nothing: with its bytes the blob is made, then the row goes, and a process that
 * ends between leaves an upload whose last bytes are sent again.
 */
export class UploadRows implements OpenUploads {
  /** Of each request that is under way here its file, and how many bytes that may come to have. */
  readonly #staged = new Map<string, number>();
  /** Objects that the sweep before found old and without a row. */
  #unnamed: ReadonlySet<string> = new Set();

  /** Everybody who begins or ends an upload waits for who does: those that wait here are begun together, or ended. */
  readonly #created = new Batches<Beginning, void>({
    work: (_, { claim }) => apart(claim(), (some) => this.#createAll(some)),
    sizeOf: () => 1,
    mostTogether: MOST_TOGETHER,
  });
  readonly #removed = new Batches<string, readonly string[]>({
    work: (_, { claim }) => this.#removeAll(claim()),
    sizeOf: () => 1,
    mostTogether: MOST_TOGETHER,
  });

  constructor(
    private readonly store: UploadStore,
    private readonly parts: UploadParts,
  ) {}

  create(upload: NewUpload, admit: (holdings: Holdings) => void): Promise<void> {
    return this.#created.add('all', { upload, admit });
  }

  async find(id: string): Promise<OpenUpload | undefined> {
    const row = await selected(this.store.catalog.read).where('id', '=', id).executeTakeFirst();
    return row && uploadOf(row);
  }

  all(): Promise<OpenUpload[]> {
    return allOf(this.store.catalog.read);
  }

  async comingBytes(): Promise<number> {
    const coming = [...this.#staged].map(async ([path, bytes]) => {
      // One that ended meanwhile has no file.
      const { size } = await stat(path).catch(() => ({ size: bytes }));
      return Math.max(0, bytes - size);
    });
    return (await Promise.all(coming)).reduce((sum, bytes) => sum + bytes, 0);
  }

  /** A file of this process until the request ends. */
  async receive(upload: OpenUpload, most: number): Promise<IncomingBytes> {
    const path = join(this.store.uploads, `${upload.id}-${randomUUID()}`);
    await (await open(path, 'wx', 0o600)).close();
    this.#staged.set(path, most);
    return {
      path,
      position: 0,
      isStaged: true,
      keep: (bytes, examination) => this.#keep(upload, fileContent(path, bytes), examination),
      discard: () => {
        this.#staged.delete(path);
        return rm(path, { force: true });
      },
    };
  }

  async finish(upload: OpenUpload): Promise<void> {
    await this.#finish(upload, { bytes: 0, async *read() {} });
  }

  async remove(id: string): Promise<void> {
    const keys = await this.#removed.add('all', id);
    // What a crash leaves here, `sweep` removes.
    for (const key of keys) await this.parts.delete(key);
  }

  /** Nothing is in halves; what lies here are requests of this process's last life. */
  async recover(): Promise<UploadRecovery> {
    const names = await readdir(this.store.uploads);
    for (const name of names) await rm(join(this.store.uploads, name), { recursive: true });
    const unfinished = (await this.all()).length;
    return { unfinished, finished: 0, removed: names.length };
  }

  /**
   * What it removes it has found twice: by clocks of the catalog and of the bucket that disagree a part may look old whose
   * row comes in a moment.
   */
  async sweep(before: Date, signal?: AbortSignal): Promise<void> {
    const unnamed = new Set<string>();
    for await (const { key, modified } of this.parts.list()) {
      signal?.throwIfAborted();
      if (modified >= before) continue;
      const row = await this.store.catalog.read
        .selectFrom('upload_parts')
        .select('object')
        .where('object', '=', key)
        .executeTakeFirst();
      if (row) continue;
      if (this.#unnamed.has(key)) await this.parts.delete(key);
      else unnamed.add(key);
    }
    this.#unnamed = unnamed;
  }

  async #createAll(
    beginnings: readonly Beginning[],
  ): Promise<readonly PromiseSettledResult<void>[]> {
    const comingBytes = await this.comingBytes();
    return this.#write((transaction) =>
      createAll(transaction, this.store, beginnings, comingBytes),
    );
  }

  /** Of each the objects of its parts. */
  async #removeAll(
    ids: readonly string[],
  ): Promise<readonly PromiseSettledResult<readonly string[]>[]> {
    const [{ rows }] = await this.#write((transaction) =>
      together(
        transaction,
        transaction
          .deleteFrom('upload_parts')
          .where('upload', 'in', ids)
          .returning(['upload', 'object'])
          .compile(),
        transaction.deleteFrom('uploads').where('id', 'in', ids).compile(),
      ),
    );
    const objects = groupedBy(rows, ({ upload }) => upload);
    return ids.map((id) => ({
      status: 'fulfilled',
      value: (objects.get(id) ?? []).map(({ object }) => object),
    }));
  }

  async #keep(
    upload: OpenUpload,
    content: BlobContent,
    examination?: UploadExamination,
  ): Promise<void> {
    const { id, offset, size } = upload;
    if (offset + content.bytes === size) return this.#finish(upload, content, examination);
    if (content.bytes === 0) return;
    const object = `${id}/${offset}-${randomUUID()}`;
    await this.parts.put(object, content);
    if (await this.#move(upload, { start: offset, bytes: content.bytes, object })) return;
    await this.parts.delete(object);
    throw new TacetError(
      'conflict',
      'another request was at work on this upload; ask how far it is',
    );
  }

  #write<T>(work: (transaction: CatalogTransaction) => Promise<T>): Promise<T> {
    return this.store.catalog.write(work, 'uploads');
  }

  /** Returns whether the upload was where it was found. */
  #move(
    { id, offset }: OpenUpload,
    part: { readonly start: number; readonly bytes: number; readonly object: string },
  ): Promise<boolean> {
    return this.#write(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('uploads')
        .set({ received: offset + part.bytes, touched: clock(transaction) })
        .where('id', '=', id)
        .where('received', '=', offset)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await transaction
        .insertInto('upload_parts')
        .values({ upload: id, ...part })
        .execute();
      return true;
    });
  }

  async #finish(
    upload: OpenUpload,
    last: BlobContent,
    examination?: UploadExamination,
  ): Promise<void> {
    try {
      await acceptUpload(this.store, await this.#whole(upload, last), upload, examination);
    } catch (error) {
      if (isWorthless(error)) await this.remove(upload.id);
      throw error;
    }
    await this.remove(upload.id);
  }

  /** All that was kept, and the last bytes behind it. Throws `conflict` where another request ended the upload. */
  async #whole({ id, offset, size }: OpenUpload, last: BlobContent): Promise<BlobContent> {
    if (offset === 0) return last;
    const { parts } = this;
    const kept = (await partsOf(this.store.catalog.read, id)).filter(({ start }) => start < offset);
    const bytes = kept.reduce((sum, part) => sum + part.bytes, 0);
    if (bytes !== offset)
      throw new TacetError('store-unavailable', 'the upload changed while it was ended; try again');
    return {
      bytes: size,
      async *read() {
        for (const { object } of kept) yield* parts.read(object);
        yield* last.read();
      },
    };
  }
}

async function allOf(statements: Statements): Promise<OpenUpload[]> {
  return (await selected(statements).execute()).map(uploadOf);
}

/** In the order of their bytes. */
function partsOf(statements: Statements, upload: string) {
  return statements
    .selectFrom('upload_parts')
    .select(['start', 'bytes', 'object'])
    .where('upload', '=', upload)
    .orderBy(sql.ref('start'))
    .execute();
}
