/** The catalog's history: entry n brings `user_version` n to n + 1. Entries are never changed. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    hash BLOB NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('provider', 'institution', 'auditor', 'consumer', 'admin')),
    name TEXT NOT NULL,
    created TEXT NOT NULL,
    expires TEXT,
    revoked TEXT
  ) STRICT;

  CREATE TABLE identities (
    key_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    public_key BLOB NOT NULL,
    requested TEXT NOT NULL,
    approved TEXT
  ) STRICT;

  CREATE TABLE blobs (
    digest TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('segment', 'bundle-file')),
    bytes INTEGER NOT NULL,
    stored TEXT NOT NULL,
    erased TEXT
  ) STRICT;

  CREATE TABLE contributions (
    id TEXT PRIMARY KEY,
    institution TEXT NOT NULL,
    key_id TEXT NOT NULL REFERENCES identities,
    model TEXT NOT NULL,
    label_scheme TEXT NOT NULL,
    envelope TEXT NOT NULL,
    received TEXT NOT NULL,
    withdrawn TEXT
  ) STRICT;

  CREATE TABLE segments (
    digest TEXT PRIMARY KEY REFERENCES blobs,
    contribution TEXT REFERENCES contributions,
    model TEXT NOT NULL,
    label_scheme TEXT NOT NULL,
    label_count INTEGER NOT NULL,
    dimension INTEGER NOT NULL,
    element_type TEXT NOT NULL,
    sentences INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    mean_square_norm REAL NOT NULL
  ) STRICT;
  CREATE INDEX segments_by_contribution ON segments (contribution);
  CREATE INDEX segments_by_model ON segments (model);

  CREATE TABLE snapshots (
    id TEXT PRIMARY KEY,
    created TEXT NOT NULL
  ) STRICT;

  CREATE TABLE snapshot_segments (
    snapshot TEXT NOT NULL REFERENCES snapshots,
    position INTEGER NOT NULL,
    segment TEXT NOT NULL REFERENCES segments,
    PRIMARY KEY (snapshot, position)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE models (
    digest TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    manifest TEXT NOT NULL,
    publisher TEXT NOT NULL,
    published TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'published'
      CHECK (status IN ('published', 'deprecated', 'revoked')),
    reason TEXT,
    UNIQUE (name, version)
  ) STRICT;

  CREATE TABLE model_files (
    model TEXT NOT NULL REFERENCES models,
    path TEXT NOT NULL,
    blob TEXT NOT NULL REFERENCES blobs,
    PRIMARY KEY (model, path)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE aliases (
    name TEXT NOT NULL,
    alias TEXT NOT NULL,
    model TEXT NOT NULL REFERENCES models,
    PRIMARY KEY (name, alias)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE audits (
    id TEXT PRIMARY KEY,
    model TEXT NOT NULL REFERENCES models,
    key_id TEXT NOT NULL REFERENCES identities,
    envelope TEXT NOT NULL,
    attached TEXT NOT NULL
  ) STRICT;

  CREATE TABLE log (
    sequence INTEGER PRIMARY KEY,
    time TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    details TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  `,
  `
  ALTER TABLE blobs ADD COLUMN owner TEXT;
  CREATE INDEX blobs_by_owner ON blobs (owner);
  CREATE INDEX segments_in_snapshots ON snapshot_segments (segment);
  CREATE INDEX files_in_models ON model_files (blob);

  ALTER TABLE segments ADD COLUMN norms TEXT NOT NULL DEFAULT '[]';
  CREATE TABLE fingerprints (
    fingerprint BLOB NOT NULL,
    segment TEXT NOT NULL REFERENCES segments,
    copies INTEGER NOT NULL,
    PRIMARY KEY (fingerprint, segment)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX fingerprints_by_segment ON fingerprints (segment);
  `,
  `
  ALTER TABLE segments ADD COLUMN probes TEXT NOT NULL DEFAULT '[]';

  CREATE TABLE training_runs (
    snapshot TEXT NOT NULL REFERENCES snapshots,
    run TEXT NOT NULL,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    trainer TEXT NOT NULL,
    begun TEXT NOT NULL,
    PRIMARY KEY (snapshot, run, trainer)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE tokens_with_monitors (
    id TEXT PRIMARY KEY,
    hash BLOB NOT NULL,
    role TEXT NOT NULL
      CHECK (role IN ('provider', 'institution', 'auditor', 'consumer', 'monitor', 'admin')),
    name TEXT NOT NULL,
    created TEXT NOT NULL,
    expires TEXT,
    revoked TEXT
  ) STRICT;
  INSERT INTO tokens_with_monitors SELECT * FROM tokens;
  DROP TABLE tokens;
  ALTER TABLE tokens_with_monitors RENAME TO tokens;

  CREATE TABLE audits_by_signer (
    id TEXT NOT NULL,
    model TEXT NOT NULL REFERENCES models,
    key_id TEXT NOT NULL REFERENCES identities,
    envelope TEXT NOT NULL,
    attached TEXT NOT NULL,
    PRIMARY KEY (id, key_id)
  ) STRICT;
  INSERT INTO audits_by_signer SELECT * FROM audits;
  DROP TABLE audits;
  ALTER TABLE audits_by_signer RENAME TO audits;
  `,
  `
  ALTER TABLE segments ADD COLUMN entities TEXT NOT NULL DEFAULT 'kept'
    CHECK (entities IN ('replaced', 'kept'));
  ALTER TABLE contributions ADD COLUMN entities TEXT NOT NULL DEFAULT 'kept'
    CHECK (entities IN ('replaced', 'kept'));
  ALTER TABLE contributions ADD COLUMN inventory TEXT;
  `,
  `
  ALTER TABLE segments ADD COLUMN format INTEGER NOT NULL DEFAULT 1 CHECK (format IN (1, 2));
  `,
  `
  ALTER TABLE contributions ADD COLUMN copies INTEGER NOT NULL DEFAULT 1;
  `,
  `
  CREATE INDEX contributions_by_time
    ON contributions (received, id, institution, model, withdrawn);
  CREATE INDEX contributions_by_institution
    ON contributions (institution, received, id, model, withdrawn);
  CREATE INDEX contributions_by_id
    ON contributions (id, received, institution, model, withdrawn, copies);
  CREATE INDEX contributions_withdrawn ON contributions (id) WHERE withdrawn IS NOT NULL;
  DROP INDEX segments_by_contribution;
  CREATE INDEX segments_by_contribution
    ON segments (contribution, digest, sentences, tokens, bytes, format);
  DROP INDEX blobs_by_owner;
  CREATE INDEX blobs_by_owner ON blobs (owner, erased, bytes);

  CREATE TABLE snapshot_contributions (
    snapshot TEXT NOT NULL REFERENCES snapshots,
    contribution TEXT NOT NULL REFERENCES contributions,
    PRIMARY KEY (snapshot, contribution)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO snapshot_contributions
    SELECT DISTINCT snapshot, contribution
    FROM snapshot_segments JOIN segments ON digest = segment WHERE contribution IS NOT NULL;
  CREATE INDEX snapshots_of_contributions ON snapshot_contributions (contribution, snapshot);

  ALTER TABLE snapshots ADD COLUMN segments INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE snapshots ADD COLUMN sentences INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE snapshots ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE snapshots ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
  UPDATE snapshots SET (segments, sentences, tokens, bytes) = (
    SELECT count(*), coalesce(sum(sentences), 0), coalesce(sum(tokens), 0), coalesce(sum(bytes), 0)
    FROM snapshot_segments JOIN segments ON digest = segment WHERE snapshot = snapshots.id);
  CREATE INDEX snapshots_by_time ON snapshots (created, id);
  `,
  `
  CREATE INDEX models_in_order ON models (
    published, name, version, status,
    CASE WHEN json_valid(manifest) THEN substr(json_extract(manifest, '$.kind'), 1, 40) END,
    CASE WHEN json_valid(manifest) THEN substr(json_extract(manifest, '$.training.language'), 1, 40) END
  );
  CREATE INDEX audits_in_order ON audits (model, attached, id, key_id);
  `,
  `
  ALTER TABLE models ADD COLUMN kind TEXT;
  ALTER TABLE models ADD COLUMN language TEXT;
  ALTER TABLE models ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;
  UPDATE models SET
    kind = CASE WHEN json_valid(manifest) THEN substr(json_extract(manifest, '$.kind'), 1, 40) END,
    language =
      CASE WHEN json_valid(manifest) THEN substr(json_extract(manifest, '$.training.language'), 1, 40) END,
    sequence = coalesce(
      (SELECT max(log.sequence) FROM log WHERE action = 'model-published' AND subject = digest), 0);
  DROP INDEX models_in_order;
  CREATE INDEX models_in_order ON models (published, name, version, status, kind, language, digest);

  CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    ends INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE uploads (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    digest TEXT NOT NULL,
    owner TEXT NOT NULL,
    holder TEXT NOT NULL,
    size INTEGER NOT NULL,
    received INTEGER NOT NULL,
    touched INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE upload_parts (
    upload TEXT NOT NULL REFERENCES uploads,
    start INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    object TEXT NOT NULL UNIQUE,
    PRIMARY KEY (upload, start)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE blobs RENAME COLUMN kind TO kind_before;
  ALTER TABLE blobs ADD COLUMN kind TEXT NOT NULL DEFAULT 'segment'
    CHECK (kind IN ('segment', 'bundle-file', 'checkpoint'));
  UPDATE blobs SET kind = kind_before;
  ALTER TABLE blobs DROP COLUMN kind_before;

  CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    snapshot TEXT NOT NULL REFERENCES snapshots,
    model TEXT NOT NULL,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    scheme TEXT,
    config TEXT NOT NULL,
    asker TEXT NOT NULL,
    created TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'queued'
      CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    holder TEXT,
    worker TEXT,
    ends INTEGER,
    claims INTEGER NOT NULL DEFAULT 0,
    begun TEXT,
    ended TEXT,
    failure TEXT,
    result TEXT
  ) STRICT;
  CREATE INDEX jobs_in_order ON jobs (state, created, id);

  CREATE TABLE job_checkpoints (
    job TEXT NOT NULL REFERENCES jobs,
    digest TEXT NOT NULL REFERENCES blobs,
    epoch INTEGER NOT NULL,
    PRIMARY KEY (job, digest)
  ) STRICT, WITHOUT ROWID;
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
  ALTER TABLE segments ADD COLUMN blocks TEXT NOT NULL DEFAULT '[]';
  `,
  `
  ALTER TABLE segments ADD COLUMN kept_types TEXT NOT NULL DEFAULT '';
  ALTER TABLE contributions ADD COLUMN kept_types TEXT NOT NULL DEFAULT '';
  ALTER TABLE snapshots ADD COLUMN kept_types TEXT NOT NULL DEFAULT '';
  DROP INDEX contributions_by_id;
  CREATE INDEX contributions_by_id
    ON contributions (id, received, institution, model, withdrawn, copies, kept_types);
  `,
  `
  ALTER TABLE fingerprints RENAME TO fingerprints_before;
  CREATE TABLE fingerprints (
    fingerprint BLOB NOT NULL,
    segment TEXT NOT NULL REFERENCES segments,
    copies INTEGER NOT NULL
  ) STRICT;
  INSERT INTO fingerprints SELECT fingerprint, segment, copies FROM fingerprints_before ORDER BY segment;
  DROP TABLE fingerprints_before;
  -- Fingerprints are random: each goes to another page, so that what is there of each is short.
  CREATE INDEX fingerprints_by_value ON fingerprints (fingerprint);
  CREATE INDEX fingerprints_by_segment ON fingerprints (segment);

  CREATE INDEX jobs_by_time ON jobs (created, id);
  `,
  `
  CREATE TABLE log_signer (key_id TEXT PRIMARY KEY) STRICT;
  `,
  `
  ALTER TABLE fingerprints RENAME TO fingerprints_before;
  -- Deferred, or SQLite would keep what was on each page that a segment's fingerprints go to, in case the statement fails.
  CREATE TABLE fingerprints (
    fingerprint BLOB NOT NULL,
    segment TEXT NOT NULL REFERENCES segments DEFERRABLE INITIALLY DEFERRED,
    copies INTEGER NOT NULL
  ) STRICT;
  INSERT INTO fingerprints SELECT fingerprint, segment, copies FROM fingerprints_before ORDER BY rowid;
  DROP TABLE fingerprints_before;
  CREATE INDEX fingerprints_by_value ON fingerprints (fingerprint);
  CREATE INDEX fingerprints_by_segment ON fingerprints (segment);
  `,
  `
  CREATE TABLE sessions (
    digest TEXT PRIMARY KEY,
    service TEXT NOT NULL,
    token TEXT NOT NULL,
    token_hash BLOB NOT NULL,
    begun TEXT NOT NULL,
    ends TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_by_token ON sessions (token, begun);
  CREATE INDEX sessions_by_end ON sessions (ends);
  `,
  `
  ALTER TABLE identities ADD COLUMN revoked TEXT;
  `,
  `
  CREATE TABLE lost_withdrawals (
    id TEXT PRIMARY KEY,
    withdrawn TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
];
