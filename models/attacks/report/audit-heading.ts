/** What people want to know of an audit beside what it found; programs go by the bundle's digest. */
export interface AuditHeading {
  /** Of the model, as its manifest states them. */
  readonly name: string;
  readonly version: string;
  /** Ids of the keys that signed the model, of those that the auditor trusts. */
  readonly publisherKeys: readonly string[];
  /** The name of the corpus that the model was trained on, where its manifest states it. */
  readonly trainedOn?: string;
  /** BCP 47, of the notes that the model was trained on. */
  readonly language?: string;
  /** The auditor's notes: the names of their files or folders, never their paths. */
  readonly corpus: string;
  /** ISO 8601, UTC: when the audit ended. */
  readonly created: string;
}
