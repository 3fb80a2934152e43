import { sha256Hex } from '../../proto/digest.js';
import { ENVELOPE, type Envelope } from '../../proto/dsse.js';
import { TacetError } from '../../proto/errors.js';
import { DIGEST, TIME } from '../../proto/schemas.js';
import { closedObject, type TypeOf } from '../../proto/typed-schema.js';
import { type Catalog, type CatalogTransaction, now, type Statements } from '../catalog/catalog.js';
import { sql } from '../catalog/kysely.js';
import {
  atMost,
  countOf,
  isBehind,
  type ListedPart,
  type ListPart,
  type ListPlace,
  partOf,
} from '../catalog/listing.js';
import { byIndex } from '../catalog/sql-dialect.js';
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

/** One without its report. */
export type AuditSignature = Omit<Audit, 'envelope' | 'model'>;

type Row = Omit<Audit, 'envelope'> & { envelope: string };

export class Audits {
  constructor(
    readonly catalog: Catalog,
    readonly log: ChangeLog,
  ) {}

  /**
   * Attaches an envelope whose signatures by these keys were verified, each signature on its own, so
   * that nobody's is lost for another's, once `admit` has let it pass. Attaching one again changes nothing. Throws
   * `too-many-kept` where a key has signed `most` audits of the model.
   */
  attach(
    model: string,
    keyIds: readonly string[],
    envelope: Envelope,
    most = Number.POSITIVE_INFINITY,
    admit = () => {},
  ): Promise<Audit[]> {
    const payload = Buffer.from(envelope.payload, 'base64');
    const id = sha256Hex(payload);
    return this.catalog.write(async (transaction) => {
      const attached: Audit[] = [];
      for (const keyId of keyIds) {
        const alone = signedAlone(envelope, keyId);
        const audit = { id, model, keyId, envelope: alone };
        attached.push(await this.#attach(transaction, audit, most, admit));
      }
      return attached;
    });
  }

  async #attach(
    transaction: CatalogTransaction,
    { id, model, keyId, envelope }: Omit<Audit, 'attached'>,
    most: number,
    admit: () => void,
  ): Promise<Audit> {
    const known = await find(transaction, id, keyId);
    if (known) return known;
    admit();
    const count = await countOf(
      transaction,
      sql`FROM audits WHERE model = ${model} AND key_id = ${keyId}`,
    );
    if (count >= most)
      throw new TacetError(
        'too-many-kept',
        `key ${keyId} has signed ${count} audits of model ${model}, and no more may be attached; ask the operator of ` +
          'the registry for more (--model-audits)',
      );
    const attached = now();
    await transaction
      .insertInto('audits')
      .values({ id, model, key_id: keyId, envelope: JSON.stringify(envelope), attached })
      .execute();
    await this.log.append(transaction, 'audit-attached', id, { model, keyId });
    return { id, model, keyId, envelope, attached };
  }

  /** The audits of a model, oldest first. */
  async of(model: string): Promise<readonly Audit[]> {
    return (await this.part(model, {}, Number.POSITIVE_INFINITY)).rows;
  }

  /**
   * Oldest first (`auditPlace`), so many that their envelopes have no more than `characters` together; one at least, where
   * there is one.
   */
  async part(
    model: string,
    { after, limit }: ListPart,
    characters: number,
  ): Promise<ListedPart<Audit>> {
    type Sized = AuditSignature & { readonly size: number };
    const { read } = this.catalog;
    const listed = await partOf({ after, limit }, async (part) => {
      const { rows } = await sql<Sized>`
        SELECT id, key_id AS "keyId", length(envelope) AS size FROM audits
        WHERE model = ${model} AND ${isBehind(part.after, 'attached', 'id', 'key_id')}
        ORDER BY attached, id, key_id ${atMost(part.limit)}`.execute(read);
      return rows;
    });
    const rows: Audit[] = [];
    let held = 0;
    for (const { id, keyId, size } of listed.rows) {
      held += size;
      if (held > characters && rows.length > 0) return { rows, isMore: true };
      const audit = await find(read, id, keyId);
      if (audit) rows.push(audit);
    }
    return { rows, isMore: listed.isMore };
  }

  /** Who signed audits of a model, oldest first, without their reports. */
  async signaturesOf(model: string): Promise<AuditSignature[]> {
    const { read } = this.catalog;
    const { rows } = await sql<AuditSignature>`
      SELECT id, key_id AS "keyId", attached FROM audits ${byIndex(read, 'audits_in_order')}
      WHERE model = ${model} ORDER BY attached, id, key_id`.execute(read);
    return rows;
  }
}

/** Where an audit stands among those of its model. */
export function auditPlace({ attached, id, keyId }: Audit): ListPlace {
  return { time: attached, id: `${id} ${keyId}` };
}

async function find(statements: Statements, id: string, keyId: string): Promise<Audit | undefined> {
  const row = await audits(statements)
    .where('id', '=', id)
    .where('key_id', '=', keyId)
    .executeTakeFirst();
  return row && auditOf(row);
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
