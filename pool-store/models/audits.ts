import { sha256Hex } from '../../proto/digest.js';
import { ENVELOPE, type Envelope } from '../../proto/dsse.js';
import { DIGEST, TIME } from '../../proto/schemas.js';
import { closedObject, type TypeOf } from '../../proto/typed-schema.js';
import { type Catalog, type CatalogTransaction, now, type Statements } from '../catalog/catalog.js';
import type { ChangeLog } from '../log/change-log.js';

export const AUDIT = closedObject(
  {
    /** SHA-256 of the signed payload. */
    id: DIGEST,
    model: DIGEST,
    keyId: DIGEST,
    envelope: ENVELOPE,
    attached: TIME,
  },
  { title: 'Audit' },
);

/** A signed report of attacks on one model; who else signs the same report makes an audit beside it. */
export type Audit = TypeOf<typeof AUDIT>;

type Row = Omit<Audit, 'envelope'> & { envelope: string };

export class Audits {
  constructor(
    readonly catalog: Catalog,
    readonly log: ChangeLog,
  ) {}

  /**
   * Attaches an envelope whose signatures by these keys were verified, each signature on its own, so
   * that nobody's is lost for another's. Attaching one again changes nothing.
   */
  attach(model: string, keyIds: readonly string[], envelope: Envelope): Promise<Audit[]> {
    const payload = Buffer.from(envelope.payload, 'base64');
    const id = sha256Hex(payload);
    return this.catalog.write(async (transaction) => {
      const attached: Audit[] = [];
      for (const keyId of keyIds) {
        const alone = signedAlone(envelope, keyId);
        attached.push(await this.#attach(transaction, { id, model, keyId, envelope: alone }));
      }
      return attached;
    });
  }

  async #attach(
    transaction: CatalogTransaction,
    { id, model, keyId, envelope }: Omit<Audit, 'attached'>,
  ): Promise<Audit> {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('audits')
      .values({ id, model, key_id: keyId, envelope: JSON.stringify(envelope), attached: now() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 0n)
      await this.log.append(transaction, 'audit-attached', id, { model, keyId });
    const row = await audits(transaction)
      .where('id', '=', id)
      .where('key_id', '=', keyId)
      .executeTakeFirstOrThrow();
    return auditOf(row);
  }

  /** The audits of a model, oldest first. */
  async of(model: string): Promise<Audit[]> {
    const rows = await audits(this.catalog.read)
      .where('model', '=', model)
      .orderBy('attached')
      .orderBy('id')
      .orderBy('key_id')
      .execute();
    return rows.map(auditOf);
  }
}

function audits(statements: Statements) {
  return statements
    .selectFrom('audits')
    .select(['id', 'model', 'key_id as keyId', 'envelope', 'attached']);
}

function auditOf(row: Row): Audit {
  return { ...row, envelope: JSON.parse(row.envelope) };
}

function signedAlone(envelope: Envelope, keyId: string): Envelope {
  const signatures = envelope.signatures.filter(({ keyid }) => keyid === keyId);
  return { ...envelope, signatures };
}
