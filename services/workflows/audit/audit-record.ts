import { createHash } from 'node:crypto';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { AuditTarget } from '../../../models/attacks/target.js';
import type { NamedArrays } from '../../../models/networks/named-arrays.js';
import { textIfThere } from '../../../platform/files/optional-file.js';
import { TacetError } from '../../../proto/errors.js';
import { jsonIn } from '../../../proto/json-text.js';
import { type AuditNotes, digestOfNotes, digestOfOrigins } from './audit-notes.js';
import type { TrainingAdversary } from './training-adversary.js';

/** What a later run must agree with to go on with an audit; never leaves this machine. */
export interface AuditRecord {
  /** SHA-256 of the bundle. */
  readonly model: string;
  readonly seed: number;
  readonly neighbours: number;
  readonly epochs: number | null;
  readonly as: string | null;
  /** Names of the attacks that were asked for; absent where all were. */
  readonly only?: readonly string[];
  /** Whether the adversary of a training run goes on. */
  readonly continued: boolean;
  /** Digest of that adversary's weights. */
  readonly adversary: string | null;
  /** Digests of the notes of `--corpus` and of `--members`. */
  readonly notes: string;
  readonly members: string | null;
  /** How many notes are not measured on since they are among `--members`; absent where none is. */
  readonly membersLeftOut?: number;
  /** Digest of where each note comes from. */
  readonly institutions: string | null;
  /** How many sentences have a release that is about to be shared, and the digest of these. */
  readonly released: number | null;
  readonly releases: string | null;
}

/** What an audit is begun with. */
export interface AuditedRun {
  readonly seed: number;
  readonly neighbours: number;
  readonly epochs?: number;
  readonly as?: string;
  readonly only?: readonly string[];
}

/** The record of an audit of the bundle with the digest `model`. */
export function recordOf(
  { seed, neighbours, epochs, as, only }: AuditedRun,
  model: string,
  { documents, members, institutions }: AuditNotes,
  target: Pick<AuditTarget, 'test' | 'released' | 'membersLeftOut'>,
  { start }: TrainingAdversary,
): AuditRecord {
  return {
    ...{ model, seed, neighbours, epochs: epochs ?? null, as: as ?? null },
    ...(only && { only: [...only].sort() }),
    continued: start !== undefined,
    adversary: start ? digestOfWeights(start) : null,
    notes: digestOfNotes(documents),
    members: members ? digestOfNotes(members) : null,
    ...(target.membersLeftOut && { membersLeftOut: target.membersLeftOut }),
    institutions: institutions ? digestOfOrigins(documents, institutions) : null,
    released: target.released?.size ?? null,
    releases: digestOfReleases(target),
  };
}

const OPTIONS: Readonly<Record<keyof AuditRecord, string>> = {
  model: '--model',
  seed: '--seed',
  neighbours: '--neighbours',
  epochs: '--epochs',
  as: '--as',
  only: '--only',
  continued: '--run',
  adversary: '--run',
  notes: '--corpus or --documents',
  members: '--members',
  membersLeftOut: '--members',
  institutions: '--institutions or names of --corpus',
  released: '--segments',
  releases: '--segments',
};

/** Absent says something of these. */
const OPTIONAL: readonly (keyof AuditRecord)[] = ['only', 'membersLeftOut'];

/**
 * The record that the audit in `directory` was begun with, or `record` where none was. Records of
 * earlier versions lack digests of the adversary and of institutions, which are then taken on trust.
 * Throws `checkpoint-invalid`, naming the options, where it was begun with others.
 */
export async function begunRecord(directory: string, record: AuditRecord): Promise<object> {
  const file = path.join(directory, 'config.json');
  const text = await textIfThere(file);
  if (text === undefined) return record;
  const begun = parse(file, text);
  const differ = (Object.keys(OPTIONS) as (keyof AuditRecord)[]).filter((key) => {
    if (key in begun || OPTIONAL.includes(key)) return !isDeepStrictEqual(begun[key], record[key]);
    return key === 'releases' && record.releases !== null;
  });
  if (differ.length === 0) return begun;
  const options = [...new Set(differ.map((key) => OPTIONS[key]))].join(', ');
  throw new TacetError(
    'checkpoint-invalid',
    `${directory} holds an audit that was begun with other ${options}: resume it with what it was ` +
      'begun with, or choose another --out',
  );
}

function parse(file: string, text: string): Readonly<Record<string, unknown>> {
  const value = jsonIn(text);
  if (typeof value === 'object' && value !== null) return { ...value };
  throw new TacetError(
    'checkpoint-invalid',
    `${file}: expected a JSON object; choose another --out`,
  );
}

/** Tells whether weights are those of an earlier run. */
export function digestOfWeights(weights: NamedArrays): string {
  const hash = createHash('sha256');
  for (const name of Object.keys(weights).sort()) {
    const { shape, data } = weights[name];
    hash.update(JSON.stringify([name, shape]));
    hash.update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }
  return hash.digest('hex');
}

/** Tells whether the releases of the measured sentences are those of an earlier run. */
function digestOfReleases({ test, released }: Pick<AuditTarget, 'test' | 'released'>) {
  if (!released) return null;
  const hash = createHash('sha256');
  for (const example of test) {
    const vectors = released.get(example);
    if (vectors)
      hash.update(new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength));
  }
  return hash.digest('hex');
}
