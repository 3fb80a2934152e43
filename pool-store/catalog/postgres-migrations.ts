/**
 * The history of a catalog in PostgreSQL, which begins where SQLite's had ten entries: entry n brings
 * `catalog_version` n to n + 1. Entries are never changed. Texts compare by their bytes, as they do in SQLite,
 * whatever the language of the database.
 */
export const POSTGRES_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE tokens (
    id TEXT COLLATE "C" PRIMARY KEY,
    hash BYTEA NOT NULL,
    role TEXT COLLATE "C" NOT NULL
      CHECK (role IN ('provider', 'institution', 'auditor', 'consumer', 'monitor', 'admin')),
    name TEXT COLLATE "C" NOT NULL,
    created TEXT COLLATE "C" NOT NULL,
    expires TEXT COLLATE "C",
    revoked TEXT COLLATE "C"
  );

  CREATE TABLE identities (
    key_id TEXT COLLATE "C" PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    public_key BYTEA NOT NULL,
    requested TEXT COLLATE "C" NOT NULL,
    approved TEXT COLLATE "C"
  );

  CREATE TABLE blobs (
    digest TEXT COLLATE "C" PRIMARY KEY,
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('segment', 'bundle-file')),
    bytes BIGINT NOT NULL,
    stored TEXT COLLATE "C" NOT NULL,
    erased TEXT COLLATE "C",
    owner TEXT COLLATE "C"
  );
  CREATE INDEX blobs_by_owner ON blobs (owner, erased, bytes);

  CREATE TABLE contributions (
    id TEXT COLLATE "C" PRIMARY KEY,
    institution TEXT COLLATE "C" NOT NULL,
    key_id TEXT COLLATE "C" NOT NULL REFERENCES identities,
    model TEXT COLLATE "C" NOT NULL,
    label_scheme TEXT COLLATE "C" NOT NULL,
    envelope TEXT COLLATE "C" NOT NULL,
    received TEXT COLLATE "C" NOT NULL,
    withdrawn TEXT COLLATE "C",
    entities TEXT COLLATE "C" NOT NULL DEFAULT 'kept' CHECK (entities IN ('replaced', 'kept')),
    inventory TEXT COLLATE "C",
    copies BIGINT NOT NULL DEFAULT 1
  );
  CREATE INDEX contributions_by_time
    ON contributions (received DESC, id, institution, model, withdrawn);
  CREATE INDEX contributions_by_institution
    ON contributions (institution, received DESC, id, model, withdrawn);
  CREATE INDEX contributions_by_model ON contributions (model);
  CREATE INDEX contributions_withdrawn ON contributions (id) WHERE withdrawn IS NOT NULL;

  CREATE TABLE segments (
    digest TEXT COLLATE "C" PRIMARY KEY REFERENCES blobs,
    contribution TEXT COLLATE "C" REFERENCES contributions,
    model TEXT COLLATE "C" NOT NULL,
    label_scheme TEXT COLLATE "C" NOT NULL,
    label_count BIGINT NOT NULL,
    dimension BIGINT NOT NULL,
    element_type TEXT COLLATE "C" NOT NULL,
    sentences BIGINT NOT NULL,
    tokens BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    mean_square_norm DOUBLE PRECISION NOT NULL,
    norms TEXT COLLATE "C" NOT NULL DEFAULT '[]',
    probes TEXT COLLATE "C" NOT NULL DEFAULT '[]',
    entities TEXT COLLATE "C" NOT NULL DEFAULT 'kept' CHECK (entities IN ('replaced', 'kept')),
    format BIGINT NOT NULL DEFAULT 1 CHECK (format IN (1, 2))
  );
  CREATE INDEX segments_by_contribution
    ON segments (contribution, digest, sentences, tokens, bytes, format);
  CREATE INDEX segments_by_model ON segments (model);

  CREATE TABLE fingerprints (
    fingerprint BYTEA NOT NULL,
    segment TEXT COLLATE "C" NOT NULL REFERENCES segments,
    copies BIGINT NOT NULL,
    PRIMARY KEY (fingerprint, segment)
  );
  CREATE INDEX fingerprints_by_segment ON fingerprints (segment);

  CREATE TABLE snapshots (
    id TEXT COLLATE "C" PRIMARY KEY,
    created TEXT COLLATE "C" NOT NULL,
    segments BIGINT NOT NULL DEFAULT 0,
    sentences BIGINT NOT NULL DEFAULT 0,
    tokens BIGINT NOT NULL DEFAULT 0,
    bytes BIGINT NOT NULL DEFAULT 0
  );
  CREATE INDEX snapshots_by_time ON snapshots (created DESC, id);

  CREATE TABLE snapshot_segments (
    snapshot TEXT COLLATE "C" NOT NULL REFERENCES snapshots,
    position BIGINT NOT NULL,
    segment TEXT COLLATE "C" NOT NULL REFERENCES segments,
    PRIMARY KEY (snapshot, position)
  );
  CREATE INDEX segments_in_snapshots ON snapshot_segments (segment);

  CREATE TABLE snapshot_contributions (
    snapshot TEXT COLLATE "C" NOT NULL REFERENCES snapshots,
    contribution TEXT COLLATE "C" NOT NULL REFERENCES contributions,
    PRIMARY KEY (snapshot, contribution)
  );
  CREATE INDEX snapshots_of_contributions ON snapshot_contributions (contribution, snapshot);

  CREATE TABLE training_runs (
    snapshot TEXT COLLATE "C" NOT NULL REFERENCES snapshots,
    run TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    version TEXT COLLATE "C" NOT NULL,
    trainer TEXT COLLATE "C" NOT NULL,
    begun TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (snapshot, run, trainer)
  );

  CREATE TABLE models (
    digest TEXT COLLATE "C" PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    version TEXT COLLATE "C" NOT NULL,
    manifest TEXT COLLATE "C" NOT NULL,
    publisher TEXT COLLATE "C" NOT NULL,
    published TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL DEFAULT 'published'
      CHECK (status IN ('published', 'deprecated', 'revoked')),
    reason TEXT COLLATE "C",
    kind TEXT COLLATE "C",
    language TEXT COLLATE "C",
    sequence BIGINT NOT NULL DEFAULT 0,
    UNIQUE (name, version)
  );
  CREATE INDEX models_in_order ON models (published, name, version, status, kind, language, digest);

  CREATE TABLE model_files (
    model TEXT COLLATE "C" NOT NULL REFERENCES models,
    path TEXT COLLATE "C" NOT NULL,
    blob TEXT COLLATE "C" NOT NULL REFERENCES blobs,
    PRIMARY KEY (model, path)
  );
  CREATE INDEX files_in_models ON model_files (blob);

  CREATE TABLE aliases (
    name TEXT COLLATE "C" NOT NULL,
    alias TEXT COLLATE "C" NOT NULL,
    model TEXT COLLATE "C" NOT NULL REFERENCES models,
    PRIMARY KEY (name, alias)
  );

  CREATE TABLE audits (
    id TEXT COLLATE "C" NOT NULL,
    model TEXT COLLATE "C" NOT NULL REFERENCES models,
    key_id TEXT COLLATE "C" NOT NULL REFERENCES identities,
    envelope TEXT COLLATE "C" NOT NULL,
    attached TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (id, key_id)
  );
  CREATE INDEX audits_in_order ON audits (model, attached, id, key_id);

  CREATE TABLE log (
    sequence BIGINT PRIMARY KEY,
    time TEXT COLLATE "C" NOT NULL,
    action TEXT COLLATE "C" NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    details TEXT COLLATE "C" NOT NULL,
    previous TEXT COLLATE "C" NOT NULL,
    hash TEXT COLLATE "C" NOT NULL
  );

  CREATE TABLE leases (
    name TEXT COLLATE "C" PRIMARY KEY,
    holder TEXT COLLATE "C" NOT NULL,
    ends BIGINT NOT NULL
  );
  `,
  `
  CREATE TABLE uploads (
    id TEXT COLLATE "C" PRIMARY KEY,
    kind TEXT COLLATE "C" NOT NULL,
    digest TEXT COLLATE "C" NOT NULL,
    owner TEXT COLLATE "C" NOT NULL,
    holder TEXT COLLATE "C" NOT NULL,
    size BIGINT NOT NULL,
    received BIGINT NOT NULL,
    touched BIGINT NOT NULL
  );
  CREATE TABLE upload_parts (
    upload TEXT COLLATE "C" NOT NULL REFERENCES uploads,
    start BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    object TEXT COLLATE "C" NOT NULL UNIQUE,
    PRIMARY KEY (upload, start)
  );
  `,
  `
  ALTER TABLE blobs DROP CONSTRAINT blobs_kind_check;
  ALTER TABLE blobs ADD CONSTRAINT blobs_kind_check
    CHECK (kind IN ('segment', 'bundle-file', 'checkpoint'));

  CREATE TABLE jobs (
    id TEXT COLLATE "C" PRIMARY KEY,
    snapshot TEXT COLLATE "C" NOT NULL REFERENCES snapshots,
    model TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    version TEXT COLLATE "C" NOT NULL,
    scheme TEXT COLLATE "C",
    config TEXT COLLATE "C" NOT NULL,
    asker TEXT COLLATE "C" NOT NULL,
    created TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL DEFAULT 'queued'
      CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    holder TEXT COLLATE "C",
    worker TEXT COLLATE "C",
    ends BIGINT,
    claims BIGINT NOT NULL DEFAULT 0,
    begun TEXT COLLATE "C",
    ended TEXT COLLATE "C",
    failure TEXT COLLATE "C",
    result TEXT COLLATE "C"
  );
  CREATE INDEX jobs_in_order ON jobs (state, created, id);

  CREATE TABLE job_checkpoints (
    job TEXT COLLATE "C" NOT NULL REFERENCES jobs,
    digest TEXT COLLATE "C" NOT NULL REFERENCES blobs,
    epoch BIGINT NOT NULL,
    PRIMARY KEY (job, digest)
  );
  CREATE INDEX jobs_of_checkpoints ON job_checkpoints (digest);
  `,
  `
  DROP INDEX segments_by_contribution;
  CREATE INDEX segments_by_contribution ON segments (
    contribution, digest, sentences, tokens, bytes, format, model, label_scheme, label_count, entities,
    dimension, element_type
  );
  `,
  `
  ALTER TABLE segments ADD COLUMN blocks TEXT COLLATE "C" NOT NULL DEFAULT '[]';
  `,
  `
  ALTER TABLE segments ADD COLUMN kept_types TEXT COLLATE "C" NOT NULL DEFAULT '';
  ALTER TABLE contributions ADD COLUMN kept_types TEXT COLLATE "C" NOT NULL DEFAULT '';
  ALTER TABLE snapshots ADD COLUMN kept_types TEXT COLLATE "C" NOT NULL DEFAULT '';
  `,
  `
  CREATE INDEX jobs_by_time ON jobs (created, id);
  `,
  `
  CREATE TABLE log_signer (key_id TEXT COLLATE "C" PRIMARY KEY);
  `,
  `
  CREATE TABLE sessions (
    digest TEXT COLLATE "C" PRIMARY KEY,
    service TEXT COLLATE "C" NOT NULL,
    token TEXT COLLATE "C" NOT NULL,
    token_hash BYTEA NOT NULL,
    begun TEXT COLLATE "C" NOT NULL,
    ends TEXT COLLATE "C" NOT NULL
  );
  CREATE INDEX sessions_by_token ON sessions (token, begun);
  CREATE INDEX sessions_by_end ON sessions (ends);
  `,
  `
  CREATE UNLOGGED TABLE recent_samples (
    segment TEXT COLLATE "C" PRIMARY KEY,
    points BYTEA NOT NULL,
    added BIGINT NOT NULL
  );
  ALTER TABLE recent_samples ALTER COLUMN points SET STORAGE EXTERNAL;
  `,
  `
  ALTER TABLE identities ADD COLUMN revoked TEXT COLLATE "C";
  `,
  `
  CREATE TABLE lost_withdrawals (
    id TEXT COLLATE "C" PRIMARY KEY,
    withdrawn TEXT COLLATE "C" NOT NULL
  );
  `,
];
