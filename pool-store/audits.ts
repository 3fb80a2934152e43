import { sha256Hex } from '../proto/digest.js';
import { ENVELOPE, type Envelope } from '../proto/dsse.js';
import { DIGEST, TIME } from '../proto/schemas.js';
import { closedObject, type TypeOf } from '../proto/typed-schema.js';
import { type Catalog, inTransaction, now } from './catalog.js';
import type { ChangeLog } from './change-log.js';

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

const SELECT = 'SELECT id, model, key_id AS keyId, envelope, attached FROM audits';

export class Audits {
  constructor(
    readonly catalog: Catalog,
    readonly log: ChangeLog,
  ) {}

  /**
   * Attaches an envelope whose signatures by these keys were verified, each signature on its own, so
   * that nobody's is lost for another's. Attaching one again changes nothing.
   */
  attach(model: string, keyIds: readonly string[], envelope: Envelope): Audit[] {
    const payload = Buffer.from(envelope.payload, 'base64');
    const id = sha256Hex(payload);
    return inTransaction(this.catalog, () =>
      keyIds.map((keyId) => this.#attach(id, model, keyId, signedAlone(envelope, keyId))),
    );
  }

  #attach(id: string, model: string, keyId: string, envelope: Envelope): Audit {
    const changes = this.catalog.run(
      'INSERT OR IGNORE INTO audits VALUES (?, ?, ?, ?, ?)',
      id,
      model,
      keyId,
      JSON.stringify(envelope),
      now(),
    );
    if (changes > 0) this.log.append('audit-attached', id, { model, keyId });
    const row = this.catalog.get<Row>(`${SELECT} WHERE id = ? AND key_id = ?`, id, keyId);
    return auditOf(row as Row);
  }

  /** The audits of a model, oldest first. */
  of(model: string): Audit[] {
    return this.catalog
      .all<Row>(`${SELECT} WHERE model = ? ORDER BY attached, id, key_id`, model)
      .map(auditOf);
  }
}

function auditOf(row: Row): Audit {
  return { ...row, envelope: JSON.parse(row.envelope) };
}

function signedAlone(envelope: Envelope, keyId: string): Envelope {
  const signatures = envelope.signatures.filter(({ keyid }) => keyid === keyId);
  return { ...envelope, signatures };
}
