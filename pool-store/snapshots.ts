import { Type } from 'typebox';
import { sha256Hex } from '../proto/digest.js';
import { ENTITY_TREATMENTS } from '../proto/entity-treatment.js';
import { TacetError } from '../proto/errors.js';
import { DIGEST, NAME, NATURAL, TIME } from '../proto/schemas.js';
import { SEGMENT_HEADER } from '../proto/segment-header.js';
import { closedObject, nullable, oneOf, type TypeOf } from '../proto/typed-schema.js';
import { type Catalog, inTransaction, now } from './catalog.js';
import type { ChangeLog } from './change-log.js';
import { SEGMENT_COLUMNS, type SegmentRow } from './segment-records.js';

export const SNAPSHOT_FILTER = closedObject({
  model: Type.Optional(DIGEST),
  labelScheme: Type.Optional(DIGEST),
  entities: Type.Optional(oneOf(ENTITY_TREATMENTS)),
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
    segments: Type.Array(DIGEST),
  },
  { title: 'Provenance' },
);

/** Where the segments of a snapshot come from. */
export type Provenance = TypeOf<typeof PROVENANCE>;

export const SNAPSHOT_PART = closedObject(
  {
    copies: NATURAL,
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

type Member = SegmentRow & {
  readonly institution: string;
  readonly copies: number;
  readonly withdrawn: string | null;
};

const MEMBERS = `
  SELECT ${SEGMENT_COLUMNS}, institution, copies, withdrawn
  FROM segments JOIN contributions ON contributions.id = segments.contribution`;

export class Snapshots {
  constructor(
    readonly catalog: Catalog,
    readonly log: ChangeLog,
  ) {}

  /**
   * Freezes what the pool holds now; the same segments give the same snapshot. Throws `not-found`
   * where nothing matches, `conflict` where more than one model, scheme or element type does.
   */
  create(filter: SnapshotFilter = {}): Snapshot {
    return inTransaction(this.catalog, () => {
      const members = this.#matching(filter);
      checkUniform(members);
      const id = snapshotId(members.map(({ digest }) => digest));
      if (!this.#exists(id)) this.#insert(id, members);
      return this.get(id);
    });
  }

  /** Throws `not-found`. */
  get(id: string): Snapshot {
    return this.#of(id, () => true);
  }

  /**
   * As `getReadable`, with those sentences alone whose contributions were made with `copies` of each note.
   * Throws `not-found` where there are none.
   */
  partOf(id: string, copies: number): Snapshot {
    this.getReadable(id);
    return this.#of(id, (member) => member.copies === copies);
  }

  #of(id: string, isTaken: (member: Member) => boolean): Snapshot {
    const members = this.#membersOf(id).filter(isTaken);
    const first = members[0];
    if (!first)
      throw new TacetError('not-found', `there is no snapshot ${id}, or no such part of it`);
    return {
      id,
      created: first.created,
      modelDigest: first.modelDigest,
      labelSchemeDigest: first.labelSchemeDigest,
      labelCount: first.labelCount,
      entities: first.entities,
      dimension: first.dimension,
      elementType: first.elementType,
      sentenceCount: sum(members, 'sentences'),
      tokens: sum(members, 'tokens'),
      bytes: sum(members, 'bytes'),
      institutions: [...new Set(members.map(({ institution }) => institution))].sort(),
      parts: partsOf(members),
      segments: members.map(({ digest }) => digest),
      withdrawn: members.some(({ withdrawn }) => withdrawn !== null),
    };
  }

  /** As `get`, and throws `withdrawn` where it cannot be read any more. */
  getReadable(id: string): Snapshot {
    const snapshot = this.get(id);
    if (!snapshot.withdrawn) return snapshot;
    throw new TacetError(
      'withdrawn',
      `snapshot ${id} holds a withdrawn contribution; create a new snapshot`,
    );
  }

  /** The contributions that a snapshot holds, oldest first. Throws `not-found`. */
  provenanceOf(id: string): Provenance[] {
    const { segments } = this.get(id);
    return this.#provenance(segments);
  }

  /** What the second snapshot holds and the first does not, and the reverse. Throws `not-found`. */
  diff(first: string, second: string): SnapshotDiff {
    const [before, after] = [first, second].map((id) => this.get(id).segments);
    const without = (all: readonly string[], others: readonly string[]) => {
      const known = new Set(others);
      return this.#provenance(all.filter((digest) => !known.has(digest)));
    };
    return { added: without(after, before), removed: without(before, after) };
  }

  list(): Snapshot[] {
    return this.catalog
      .all<{ id: string }>('SELECT id FROM snapshots ORDER BY created, id')
      .map(({ id }) => this.get(id));
  }

  #provenance(segments: readonly string[]): Provenance[] {
    type Row = Omit<Provenance, 'segments'> & { segments: string };
    return this.catalog
      .all<Row>(
        `SELECT contributions.id AS contribution, institution, key_id AS keyId, received, withdrawn,
           copies, json_group_array(segments.digest) AS segments
         FROM json_each(?) JOIN segments ON segments.digest = value
         JOIN contributions ON contributions.id = segments.contribution
         GROUP BY contributions.id ORDER BY received, contributions.id`,
        JSON.stringify(segments),
      )
      .map((row) => ({ ...row, segments: JSON.parse(row.segments) }));
  }

  #matching(filter: SnapshotFilter): Member[] {
    const { model, labelScheme, entities, institutions, from, until } = filter;
    const members = this.catalog.all<Member>(
      `${MEMBERS} WHERE withdrawn IS NULL
         AND (@model IS NULL OR segments.model = @model)
         AND (@labelScheme IS NULL OR segments.label_scheme = @labelScheme)
         AND (@entities IS NULL OR segments.entities = @entities)
         AND (@from IS NULL OR received >= @from) AND (@until IS NULL OR received < @until)
         ORDER BY segments.digest`,
      {
        model: model ?? null,
        labelScheme: labelScheme ?? null,
        entities: entities ?? null,
        from: momentOf(from),
        until: momentOf(until),
      },
    );
    if (!institutions) return members;
    return members.filter(({ institution }) => institutions.includes(institution));
  }

  #membersOf(id: string): (Member & { created: string })[] {
    return this.catalog.all<Member & { created: string }>(
      `SELECT members.*, created FROM snapshots
         JOIN snapshot_segments ON snapshot = snapshots.id
         JOIN (${MEMBERS}) AS members ON members.digest = segment
         WHERE snapshots.id = ? ORDER BY position`,
      id,
    );
  }

  /** Throws `not-found`. */
  requireKnown(id: string): void {
    if (!this.#exists(id)) throw new TacetError('not-found', `there is no snapshot ${id}`);
  }

  #exists(id: string): boolean {
    return this.catalog.get('SELECT 1 FROM snapshots WHERE id = ?', id) !== undefined;
  }

  #insert(id: string, members: readonly Member[]): void {
    this.catalog.run(
      'INSERT INTO snapshots VALUES (?, ?, ?, ?, ?, ?)',
      id,
      now(),
      members.length,
      sum(members, 'sentences'),
      sum(members, 'tokens'),
      sum(members, 'bytes'),
    );
    for (const [position, { digest }] of members.entries()) {
      this.catalog.run('INSERT INTO snapshot_segments VALUES (?, ?, ?)', id, position, digest);
    }
    for (const contribution of new Set(members.map(({ contribution }) => contribution))) {
      this.catalog.run('INSERT INTO snapshot_contributions VALUES (?, ?)', id, contribution);
    }
    this.log.append('snapshot-created', id, { segments: members.length });
  }
}

/** In the form of `received`, so that texts compare as times do. */
function momentOf(time: string | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}

function checkUniform(members: readonly Member[]): void {
  const first = members[0];
  if (!first) throw new TacetError('not-found', 'no contribution matches; nothing to freeze');
  for (const key of UNIFORM) {
    const values = new Set(members.map((member) => member[key]));
    if (values.size === 1) continue;
    const found = [...values].sort().join(', ');
    throw new TacetError('conflict', `a snapshot has one ${key}; found ${found}: name one`);
  }
}

const UNIFORM = [
  'modelDigest',
  'labelSchemeDigest',
  'entities',
  'elementType',
  'dimension',
] as const;

/** Of a snapshot of these segments, sorted. */
export function snapshotId(segments: readonly string[]): string {
  const lines = ['tacet-snapshot-1', ...segments, ''];
  return sha256Hex(lines.join('\n'));
}

function partsOf(members: readonly Member[]): SnapshotPart[] {
  const all = [...new Set(members.map(({ copies }) => copies))].sort((a, b) => a - b);
  return all.map((copies) => {
    const own = members.filter((member) => member.copies === copies);
    return { copies, sentenceCount: sum(own, 'sentences'), tokens: sum(own, 'tokens') };
  });
}

function sum(members: readonly Member[], key: 'sentences' | 'tokens' | 'bytes'): number {
  return members.reduce((total, member) => total + member[key], 0);
}
