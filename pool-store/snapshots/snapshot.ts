import { ENTITY_TREATMENTS } from '../../proto/entity-treatment.js';
import { KEPT_TYPES } from '../../proto/kept-types.js';
import { DIGEST, NAME, NATURAL, TIME } from '../../proto/schemas.js';
import { SEGMENT_HEADER } from '../../proto/segment-header.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, nullable, oneOf, type TypeOf } from '../../proto/typed-schema.js';

export const SNAPSHOT_FILTER = closedObject({
  model: Type.Optional(DIGEST),
  labelScheme: Type.Optional(DIGEST),
  entities: Type.Optional(oneOf(ENTITY_TREATMENTS)),
  /** Contributions alone whose entities were replaced, save those of these types at most. */
  keptTypes: Type.Optional(KEPT_TYPES),
  institutions: Type.Optional(Type.Array(NAME, { minItems: 1, maxItems: 1000 })),
  /** Received at this time or later, RFC 3339. */
  from: Type.Optional(TIME),
  /** Received before this time, RFC 3339. */
  until: Type.Optional(TIME),
});

/** Which contributions a new snapshot takes; all of them where nothing is said. */
export type SnapshotFilter = TypeOf<typeof SNAPSHOT_FILTER>;

export const PROVENANCE = closedObject(
  {
    contribution: DIGEST,
    institution: NAME,
    /** Whose signature the contribution carries. */
    keyId: DIGEST,
    received: TIME,
    withdrawn: nullable(TIME),
    /** As of `Contribution`. */
    copies: NATURAL,
    keptTypes: KEPT_TYPES,
    segments: Type.Array(DIGEST),
  },
  { title: 'Provenance' },
);

/** Where the segments of a snapshot come from. */
export type Provenance = TypeOf<typeof PROVENANCE>;

const SNAPSHOT_PART = closedObject(
  {
    copies: NATURAL,
    /** As of `Snapshot`. */
    keptTypes: KEPT_TYPES,
    sentenceCount: NATURAL,
    tokens: NATURAL,
  },
  { title: 'SnapshotPart' },
);

/** The sentences of a snapshot whose contributions were made with as many copies of each note. */
export type SnapshotPart = TypeOf<typeof SNAPSHOT_PART>;

export const SNAPSHOT_DIFF = closedObject(
  {
    /** Contributions with segments in the second snapshot alone. */
    added: Type.Array(PROVENANCE),
    /** Contributions with segments in the first snapshot alone. */
    removed: Type.Array(PROVENANCE),
  },
  { title: 'SnapshotDiff' },
);

export type SnapshotDiff = TypeOf<typeof SNAPSHOT_DIFF>;

export const SNAPSHOT = closedObject(
  {
    ...SEGMENT_HEADER,
    /** Where entities were replaced, the types whose entities one of its contributions kept. */
    keptTypes: KEPT_TYPES,
    /** SHA-256 over the sorted digests of its segments. */
    id: DIGEST,
    created: TIME,
    tokens: NATURAL,
    bytes: NATURAL,
    institutions: Type.Array(NAME),
    /** By copies, the fewest first. */
    parts: Type.Array(SNAPSHOT_PART),
    /** Digests, sorted. */
    segments: Type.Array(DIGEST),
    /** Whether a contribution in it was withdrawn since; then it cannot be read any more. */
    withdrawn: Type.Boolean(),
  },
  { title: 'Snapshot' },
);

/** An immutable list of segments of one model, label scheme, treatment of entities and element type. */
export type Snapshot = TypeOf<typeof SNAPSHOT>;
