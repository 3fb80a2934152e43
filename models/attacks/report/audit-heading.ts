import { DIGEST, FINE_TIME } from '../../../proto/schemas.js';
import { Type } from '../../../proto/typebox.js';
import { closedObject, type TypeOf } from '../../../proto/typed-schema.js';

export const AUDIT_HEADING = closedObject({
  /** Of the model, as its manifest states them. */
  name: Type.String({ minLength: 1 }),
  version: Type.String({ minLength: 1 }),
  /** Ids of the keys that signed the model, of those that the auditor trusts. */
  publisherKeys: Type.Array(DIGEST),
  /** The name of the corpus that the model was trained on, where its manifest states it. */
  trainedOn: Type.Optional(Type.String()),
  /** BCP 47, of the notes that the model was trained on. */
  language: Type.Optional(Type.String()),
  /** The auditor's notes: the names of their files or folders, never their paths. */
  corpus: Type.String({ minLength: 1 }),
  /** ISO 8601, UTC: when the audit ended. */
  created: FINE_TIME,
});

/** What people want to know of an audit beside what it found; programs go by the bundle's digest. */
export type AuditHeading = TypeOf<typeof AUDIT_HEADING>;
