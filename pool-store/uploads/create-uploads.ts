import type { CatalogTransaction, Statements } from '../catalog/catalog.js';
import { timeQuery } from '../catalog/catalog-clock.js';
import { send, together } from '../catalog/together.js';
import type { BlobRecords } from '../segments/blob-records.js';
import type { Holdings, NewUpload, OpenUpload } from './open-uploads.js';

/** An upload that is to begin, and who says whether there is room. */
export interface Beginning {
  readonly upload: NewUpload;
  admit(holdings: Holdings): void;
}

/** As `OpenUploads.create`, of several in their order, each beside those that were admitted before it. */
export async function createAll(
  transaction: CatalogTransaction,
  { blobRecords }: { readonly blobRecords: BlobRecords },
  beginnings: readonly Beginning[],
  comingBytes: number,
): Promise<PromiseSettledResult<void>[]> {
  const holders = [...new Set(beginnings.map(({ upload }) => upload.holder))];
  // In this order: one that becomes a blob meanwhile counts as both, and never as neither.
  const [rows, stored, time] = await together(
    transaction,
    selected(transaction).compile(),
    blobRecords.bytesStored(holders, transaction),
    timeQuery(transaction),
  );
  const touched = time.rows[0]?.now ?? Number.NaN;
  const storedBytes = new Map(stored.rows.map(({ owner, bytes }) => [owner, bytes]));
  const open = rows.rows.map(uploadOf);
  const admitted: Row[] = [];
  const outcomes = beginnings.map(({ upload, admit }): PromiseSettledResult<void> => {
    try {
      admit({ open, storedBytes: storedBytes.get(upload.holder) ?? 0, comingBytes });
    } catch (reason) {
      return { status: 'rejected', reason };
    }
    const row = { ...upload, received: 0, touched };
    admitted.push(row);
    open.push(uploadOf(row));
    return { status: 'fulfilled', value: undefined };
  });
  if (admitted.length > 0)
    await send(transaction, transaction.insertInto('uploads').values(admitted).compile());
  return outcomes;
}

export function selected(statements: Statements) {
  return statements.selectFrom('uploads').selectAll();
}

type Row = Awaited<ReturnType<ReturnType<typeof selected>['executeTakeFirstOrThrow']>>;

export function uploadOf({ received, touched, ...upload }: Row): OpenUpload {
  return { ...upload, offset: received, touched: new Date(touched) };
}
