/** The tables of the ledger, and those of its earlier versions made into them. */
import { join } from 'node:path';
import type { Database } from '../../../../platform/sqlite/database.js';
import { TacetError } from '../../../../proto/errors.js';
import { DEFAULT_NEIGHBOURS } from './default-neighbours.js';
import { LedgerKey } from './ledger-key.js';

const SCHEMA_VERSION = 11;
/** The strictest that any release kept to, see `Bounds`. */
export const LEDGER_BOUNDS = `
  SELECT (SELECT min(certified) FROM segments) AS certified,
    neighbours, max_releases AS maxReleases, min_documents AS minDocuments,
    max_alike AS maxAlike, label_documents AS labelDocuments, entities, kept_types AS keptTypes, suspects
  FROM bounds`;

/** Of the ledger in a home. */
export function ledgerFile(home: string): string {
  return join(home, 'ledger.db');
}

/** `squared`: [twins] of Δ², float64, little-endian. */
const ENTITIES = `
  CREATE TABLE entities (
    entity BLOB PRIMARY KEY,
    squared BLOB NOT NULL,
    sentences INTEGER NOT NULL,
    companions INTEGER NOT NULL,
    told INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE earlier_entities (entity BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
`;
/** How often sentences were released that are alike but for their entities, which were replaced. */
const ALIKE = `
  CREATE TABLE alike (
    sentence BLOB PRIMARY KEY,
    count INTEGER NOT NULL CHECK (count > 0)
  ) STRICT, WITHOUT ROWID;
`;
/** See `LedgerDocuments`. */
const DOCUMENTS = `
  CREATE TABLE documents (
    text BLOB PRIMARY KEY,
    drawn BLOB NOT NULL,
    copies INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;
/** What version 9 and before counted by other hashes. */
const EARLIER = `
  CREATE TABLE earlier_alike (
    sentence BLOB PRIMARY KEY,
    count INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE earlier_documents (
    text BLOB PRIMARY KEY,
    drawn BLOB NOT NULL,
    copies INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;
/** `kept_types`: where entities are replaced, the types of which they are kept, see `keptTypesText`. */
const BOUNDS = `
  CREATE TABLE bounds (
    max_releases INTEGER,
    min_documents INTEGER,
    neighbours INTEGER,
    max_alike INTEGER,
    entities TEXT,
    kept_types TEXT,
    label_documents INTEGER,
    suspects TEXT
  ) STRICT;
  INSERT INTO bounds VALUES (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
`;
/** The mark is null until a witness beside the home knows of the ledger. */
const HISTORY = `
  CREATE TABLE history (
    generation INTEGER NOT NULL,
    mark BLOB
  ) STRICT;
  INSERT INTO history VALUES (0, NULL);
`;
/** Version 1 knew of no certification. */
const FROM_VERSION_1 = `
  CREATE TABLE entities (
    entity BLOB PRIMARY KEY,
    mean REAL NOT NULL,
    variance REAL NOT NULL,
    sentences INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE segments ADD COLUMN certified REAL;
`;
/** Version 2 knew no bounds. */
const FROM_VERSION_2 = `
  CREATE TABLE bounds (
    max_releases INTEGER,
    min_documents INTEGER
  ) STRICT;
  INSERT INTO bounds VALUES (NULL, NULL);
`;
/**
 * Version 3 counted too little of an entity to tell what had been revealed of it, and kept no N beside its
 * limit: it had the one that a policy has by default.
 */
const FROM_VERSION_3 = `
  ALTER TABLE entities RENAME TO version_3_entities;
  ${ENTITIES}
  INSERT INTO earlier_entities SELECT entity FROM version_3_entities;
  DROP TABLE version_3_entities;
  ALTER TABLE bounds ADD COLUMN neighbours INTEGER;
  UPDATE bounds SET neighbours = ${DEFAULT_NEIGHBOURS}
    WHERE EXISTS (SELECT 1 FROM segments WHERE certified IS NOT NULL);
  ${HISTORY}
`;
/** Version 4 knew no replacement. */
const FROM_VERSION_4 = `
  ${ALIKE}
  ALTER TABLE bounds ADD COLUMN max_alike INTEGER;
  ALTER TABLE bounds ADD COLUMN entities TEXT;
  UPDATE bounds SET entities = 'kept' WHERE EXISTS (SELECT 1 FROM segments);
  ALTER TABLE segments ADD COLUMN inventory TEXT;
`;
/** Version 5 did not say how many copies of a note a segment was made with. */
const FROM_VERSION_5 = `
  ALTER TABLE segments ADD COLUMN copies INTEGER NOT NULL DEFAULT 1;
`;
/** Version 6 did not tell with which surrogates a note was released, and replaced entities of every type, or of none. */
const FROM_VERSION_6 = `
  CREATE TABLE documents (text BLOB PRIMARY KEY, drawn BLOB NOT NULL) STRICT, WITHOUT ROWID;
  ALTER TABLE segments ADD COLUMN kept_types TEXT NOT NULL DEFAULT '';
  ALTER TABLE bounds ADD COLUMN kept_types TEXT;
  UPDATE bounds SET kept_types = '' WHERE entities = 'replaced';
`;
/**
 * Version 7 counted the sentences of all copies of a note together, although they end in other places in each: which of
 * them had left how often cannot be told. So where any note left in copies, none that was released leaves again.
 */
const FROM_VERSION_7 = `
  ALTER TABLE documents ADD COLUMN copies INTEGER NOT NULL DEFAULT 1;
  UPDATE documents SET copies = 0 WHERE (SELECT max(copies) FROM segments) > 1;
`;
/** Version 8 released sentences whole. */
const FROM_VERSION_8 = `
  ALTER TABLE bounds ADD COLUMN label_documents INTEGER;
`;
/** Version 9 told notes apart by their format, and sentences by how a scheme numbers types; it asked for no second reader. */
const FROM_VERSION_9 = `
  ${EARLIER}
  INSERT INTO earlier_alike SELECT sentence, count FROM alike;
  DELETE FROM alike;
  INSERT INTO earlier_documents SELECT text, drawn, copies FROM documents;
  DELETE FROM documents;
  ALTER TABLE bounds ADD COLUMN suspects TEXT;
`;
/** Version 10 kept every segment until a pool accepted it, and did not know which contributions a pool had been asked to take. */
const FROM_VERSION_10 = `
  ALTER TABLE segments ADD COLUMN dropped INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE contributions ADD COLUMN sent INTEGER NOT NULL DEFAULT 0;
  UPDATE contributions SET sent = 1;
`;
/** What makes a ledger of each version one of the next, from version 1 on. */
const MIGRATIONS = [
  FROM_VERSION_1,
  FROM_VERSION_2,
  FROM_VERSION_3,
  FROM_VERSION_4,
  FROM_VERSION_5,
  FROM_VERSION_6,
  FROM_VERSION_7,
  FROM_VERSION_8,
  FROM_VERSION_9,
  FROM_VERSION_10,
] as const;
// Hashes cluster by value, not by time of insertion: the table does not tell an order of sentences.
const SCHEMA = `
  CREATE TABLE key_check (value BLOB NOT NULL) STRICT;
  CREATE TABLE releases (
    sentence BLOB PRIMARY KEY,
    count INTEGER NOT NULL CHECK (count > 0)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE contributions (
    digest TEXT PRIMARY KEY,
    envelope BLOB NOT NULL,
    id TEXT,
    sent INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE segments (
    digest TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    scheme TEXT NOT NULL,
    sentences INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    contribution TEXT REFERENCES contributions (digest),
    certified REAL,
    inventory TEXT,
    copies INTEGER NOT NULL DEFAULT 1,
    kept_types TEXT NOT NULL DEFAULT '',
    dropped INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  ${ALIKE}
  ${DOCUMENTS}
  ${EARLIER}
  ${ENTITIES}
  ${BOUNDS}
  ${HISTORY}
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/**
 * Makes the tables, and the key with them, where there are none. Throws `ledger-invalid` for a version that
 * is newer than this program.
 */
export async function createTables(db: Database, home: string): Promise<void> {
  const version = db.pragma('user_version', { simple: true }) as number;
  if (version === SCHEMA_VERSION) return;
  if (version > SCHEMA_VERSION)
    throw new TacetError(
      'ledger-invalid',
      `${db.name}: schema version ${version}, this program knows ${SCHEMA_VERSION}; update tacet`,
    );
  if (version > 0) {
    db.exec(MIGRATIONS.slice(version - 1).join('\n'));
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
    return;
  }
  const key = await LedgerKey.create(home);
  db.exec(SCHEMA);
  db.prepare('INSERT INTO key_check VALUES (?)').run(key.check());
}
