import type { ElementType } from '../../proto/element.js';
import type { EntityTreatment } from '../../proto/entity-treatment.js';
import type { JobState } from '../../proto/job-state.js';
import type { PublicationStatus } from '../../proto/publication.js';
import type { SegmentFormat } from '../../proto/segment-frame.js';
import type { Generated } from './kysely.js';

/** The tables of a catalog, as SQLite (`migrations.ts`) and PostgreSQL (`postgres-migrations.ts`) have them. */
export interface CatalogTables {
  tokens: {
    id: string;
    hash: Uint8Array;
    role: 'provider' | 'institution' | 'auditor' | 'consumer' | 'monitor' | 'admin';
    name: string;
    created: string;
    expires: string | null;
    revoked: string | null;
  };
  identities: {
    key_id: string;
    name: string;
    public_key: Uint8Array;
    requested: string;
    approved: string | null;
    revoked: string | null;
  };
  blobs: {
    digest: string;
    kind: 'segment' | 'bundle-file' | 'checkpoint';
    bytes: number;
    stored: string;
    erased: string | null;
    owner: string | null;
  };
  contributions: {
    id: string;
    institution: string;
    key_id: string;
    model: string;
    label_scheme: string;
    envelope: string;
    received: string;
    withdrawn: string | null;
    entities: Generated<EntityTreatment>;
    inventory: string | null;
    copies: Generated<number>;
    /** As `keptTypesText`. */
    kept_types: Generated<string>;
  };
  segments: {
    digest: string;
    contribution: string | null;
    model: string;
    label_scheme: string;
    label_count: number;
    dimension: number;
    element_type: ElementType;
    sentences: number;
    tokens: number;
    bytes: number;
    mean_square_norm: number;
    norms: Generated<string>;
    probes: Generated<string>;
    /** Where its first block begins, and the bytes of each block; empty where that was not noted. */
    blocks: Generated<string>;
    entities: Generated<EntityTreatment>;
    format: Generated<SegmentFormat>;
    /** As `keptTypesText`. */
    kept_types: Generated<string>;
  };
  fingerprints: {
    fingerprint: Uint8Array;
    segment: string;
    copies: number;
  };
  /** Contributions that were withdrawn, and lost with what a restoration does not have. */
  lost_withdrawals: { id: string; withdrawn: string };
  snapshots: {
    id: string;
    created: string;
    segments: Generated<number>;
    sentences: Generated<number>;
    tokens: Generated<number>;
    bytes: Generated<number>;
    /** Of all its contributions, as `keptTypesText`. */
    kept_types: Generated<string>;
  };
  snapshot_segments: {
    snapshot: string;
    position: number;
    segment: string;
  };
  snapshot_contributions: {
    snapshot: string;
    contribution: string;
  };
  training_runs: {
    snapshot: string;
    run: string;
    name: string;
    version: string;
    trainer: string;
    begun: string;
  };
  models: {
    digest: string;
    name: string;
    version: string;
    manifest: string;
    publisher: string;
    published: string;
    status: Generated<PublicationStatus>;
    reason: string | null;
    /** As the manifest states them, up to 40 characters. */
    kind: string | null;
    language: string | null;
    /** That of the log's entry of its publication. */
    sequence: Generated<number>;
  };
  model_files: {
    model: string;
    path: string;
    blob: string;
  };
  aliases: {
    name: string;
    alias: string;
    model: string;
  };
  audits: {
    id: string;
    model: string;
    key_id: string;
    envelope: string;
    attached: string;
  };
  log: {
    sequence: number;
    time: string;
    action: string;
    subject: string;
    details: string;
    previous: string;
    hash: string;
  };
  /** Whose signature the heads of the log carry: one row at most. */
  log_signer: { key_id: string };
  /** Unfinished, where their bytes lie beside the blobs. */
  uploads: {
    id: string;
    kind: 'segment' | 'bundle-file' | 'checkpoint';
    digest: string;
    owner: string;
    holder: string;
    size: number;
    /** Bytes that are kept. */
    received: number;
    /** In milliseconds since 1970, by the clock of the catalog. */
    touched: number;
  };
  upload_parts: {
    upload: string;
    start: number;
    bytes: number;
    /** The key of its bytes. */
    object: string;
  };
  jobs: {
    id: string;
    snapshot: string;
    model: string;
    name: string;
    version: string;
    scheme: string | null;
    config: string;
    asker: string;
    created: string;
    state: Generated<JobState>;
    /** Of the lease: whoever claimed the job last. */
    holder: string | null;
    worker: string | null;
    /** As that of `leases`. */
    ends: number | null;
    /** Since the newest checkpoint. */
    claims: Generated<number>;
    begun: string | null;
    ended: string | null;
    failure: string | null;
    result: string | null;
  };
  job_checkpoints: {
    job: string;
    digest: string;
    epoch: number;
  };
  sessions: {
    /** Of the id that the cookie holds. */
    digest: string;
    /** Whose pages it opens. */
    service: string;
    token: string;
    /** That of the token as it began. */
    token_hash: Uint8Array;
    begun: string;
    ends: string;
  };
  leases: {
    name: string;
    holder: string;
    /** In milliseconds since 1970, by the clock of the catalog. */
    ends: number;
  };
  /** In PostgreSQL alone. */
  recent_samples: {
    segment: string;
    /** As `packPoints`. */
    points: Uint8Array;
    /** As the end of a lease. */
    added: number;
  };
}
