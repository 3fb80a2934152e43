import type { KeyObject } from 'node:crypto';
import { keyIdOf } from '../proto/dsse.js';
import { TacetError } from '../proto/errors.js';
import type { Statements } from './catalog/catalog.js';
import { isLeased } from './catalog/leased.js';
import { isServed } from './serve-lock.js';
import type { Store } from './store.js';

/** The id of the key that the log of a catalog is signed with; undefined before it was served. */
export async function logSignerOf(statements: Statements): Promise<string | undefined> {
  const row = await statements.selectFrom('log_signer').select('key_id').executeTakeFirst();
  return row?.key_id;
}

/**
 * Sees that a store signs its log with the key of its catalog, which is that of whoever served the catalog first:
 * servers with a key each would tell auditors stories of several signers. Throws `config-invalid`.
 */
export async function requireLogSigner(store: Store): Promise<void> {
  const known = await logSignerOf(store.catalog.read);
  // One is made where none is known, and never beside another server's.
  if (known !== undefined && !store.hasLogKey) throw otherSigner('has no such key', known);
  const own = keyIdOf(store.logKey);
  const signer = known ?? (await recordFirst(store, own));
  if (signer !== own) throw otherSigner(`has key ${own}`, signer);
}

/**
 * Has the log signed with another key from the next start on, and says so in it; the same one again changes nothing. Throws
 * `store-busy` where the store is being served: its servers would go on with the key before.
 */
export async function changeLogSigner(store: Store, key: KeyObject): Promise<string> {
  const { catalog, directory } = store;
  if (isServed(directory) || (catalog.isShared && (await isLeased(catalog))))
    throw new TacetError(
      'store-busy',
      `${directory} is being served, and its servers would go on with the key before; stop every server of it, and try ` +
        'again in a minute',
    );
  const id = keyIdOf(key);
  await recordLogSigner(store, id);
  return id;
}

/** Puts the id of a key on record that signs the log from now on; returns whether it was another before. */
export function recordLogSigner({ catalog, log }: Store, id: string): Promise<boolean> {
  return catalog.write(async (transaction) => {
    const previous = (await logSignerOf(transaction)) ?? null;
    if (previous === id) return false;
    await transaction.deleteFrom('log_signer').execute();
    await transaction.insertInto('log_signer').values({ key_id: id }).execute();
    await log.append(transaction, 'log-key-changed', id, { previous });
    return true;
  });
}

/** Returns the key that is on record afterwards: another server may have been faster. */
function recordFirst({ catalog }: Store, id: string): Promise<string> {
  return catalog.write(async (transaction) => {
    const known = await logSignerOf(transaction);
    if (known !== undefined) return known;
    await transaction.insertInto('log_signer').values({ key_id: id }).execute();
    return id;
  });
}

function otherSigner(found: string, expected: string): TacetError {
  return new TacetError(
    'config-invalid',
    `logKey: the log of this catalog is signed by key ${expected}, and this server ${found}; ` +
      'give it the file of that key with --log-key, as every server of the catalog. Where that key is to be ' +
      'another from now on, stop them all and run tacet store log-key',
  );
}
