import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeAtomically } from '../platform/files/draft-file.js';
import { TacetError } from '../proto/errors.js';
import { validator } from '../proto/validator.js';
import type { DeidentifierScores, Measured } from './deidentifier-scores.js';
import type { Machine } from './machine.js';

/** What can be measured of a finished run, in the order that it is done: cheap things first. */
export const MEASUREMENTS = [
  'facts',
  'own',
  'pseudonyms',
  'bounds',
  'released',
  'known-noise',
  'adversary',
] as const;
export type Measurement = (typeof MEASUREMENTS)[number];

/** How a measurement came about. */
export interface Provenance {
  readonly seconds: number;
  readonly machine: Machine;
  /** What a limit of time or documents left out. */
  readonly shortened: readonly string[];
}

export interface Phase {
  readonly stage: string;
  readonly epochs: number;
  /** Epochs alone, without what stands between them. */
  readonly seconds: number;
  readonly tokensPerSecond: number;
}

/** Counts of the run's data and what its training took. */
export interface Facts {
  /** For people: the file of the word vectors. */
  readonly embeddings?: string;
  readonly documents: { readonly train: number; readonly validation: number };
  readonly sentences: { readonly train: number; readonly validation: number };
  readonly phases: readonly Phase[];
  /** In the sentences that are trained on. */
  readonly tokens: number;
  readonly phiTokens: number;
  /** PHI tokens that `move` cannot move, by reason; null where the kind moves nothing. */
  readonly immovable: Readonly<Record<string, number>> | null;
}

/** A new de-identifier, trained on one release of every sentence and nothing else. */
export interface ReleasedScores {
  /** Its validation part: whole documents, the run's own. */
  readonly split: 'by document';
  readonly sentences: number;
  readonly epochs: number;
  readonly bestEpoch: number;
  readonly noiseOff: DeidentifierScores;
  /** Held-out sentences are released too before they are tagged. */
  readonly noiseOn: DeidentifierScores;
}

export interface AttackResult {
  readonly trials: number;
  readonly documents: number;
  readonly success: Measured;
  readonly chance: number;
  /** No attack on the same trials succeeds more often than this, on average. */
  readonly limit: Measured | null;
}

/** The adversary of training, before and after it learned on against the frozen representation. */
export interface ContinuedAdversary {
  readonly epochs: number;
  readonly bestEpoch: number;
  readonly before: AttackResult;
  readonly unseen: AttackResult;
  /** On documents that it learned from. */
  readonly learned: AttackResult;
}

/** A limit on every attack on pairs: a mean, and what a mean hides. */
export interface Bound {
  readonly documents: number;
  readonly bound: Measured;
  readonly median: number;
  readonly percentile95: number;
  readonly maximum: number;
}

export interface Bounds {
  /**
   * Only where the noise depends on the input: total variation ≤ √(1 − BC²) (Le Cam), which is looser
   * than the limit of other runs. There are no slices then, and nothing is known of entities.
   */
  readonly inequality?: 'bhattacharyya';
  /** One moved token. */
  readonly certified: Bound & {
    readonly pairs: number;
    /** Draws of the input noise a pair. */
    readonly draws: number;
    readonly percentile99: number;
    /** Share of pairs whose own bound is over 0.6. */
    readonly shareOver60: number;
    /** By PHI type, and words and digits apart. */
    readonly slices: readonly Slice[];
  };
  /** An entity that is another wherever it occurs in its document. */
  readonly entities?: Bound & { readonly entities: number };
}

export interface Slice {
  readonly by: string;
  readonly value: string;
  readonly trials: number;
  readonly bound: Measured;
}

/** The likelihood attacks, by name: `known-noise-word`, `-pair`, `-twins`. */
export type KnownNoise = Readonly<Record<string, AttackResult>>;

/** `measurements.json` of a run. */
export interface Measurements {
  readonly format: 'tacet-measurements-1';
  /** SHA-256 over the held-out documents. */
  readonly heldOut: string;
  readonly facts?: Facts & Provenance;
  readonly own?: DeidentifierScores & Provenance;
  readonly bounds?: Bounds & Provenance;
  readonly released?: ReleasedScores & Provenance;
  /** Of pseudonymised notes: the best attacks, `pseudonym-twins` and `pseudonym-word`. */
  readonly pseudonyms?: { readonly attacks: KnownNoise } & Provenance;
  readonly 'known-noise'?: { readonly attacks: KnownNoise } & Provenance;
  readonly adversary?: ContinuedAdversary & Provenance;
}

const schema = JSON.parse(
  readFileSync(new URL('./measurements.schema.json', import.meta.url), 'utf8'),
);
const check = validator<Measurements>(schema, 'config-invalid', 'measurements.json');

/** What has been measured of a run so far; null where nothing was. Throws `config-invalid`. */
export async function readMeasurements(directory: string): Promise<Measurements | null> {
  const text = await readFile(fileIn(directory), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return check(JSON.parse(text));
  } catch (cause) {
    const why = cause instanceof TacetError ? cause.message : 'expected JSON';
    throw new TacetError('config-invalid', `${fileIn(directory)}: ${why}`, { cause });
  }
}

/** Replaces the file as a whole. */
export async function writeMeasurements(
  directory: string,
  measurements: Measurements,
): Promise<void> {
  const text = `${JSON.stringify(check(measurements), null, 2)}\n`;
  await writeAtomically(fileIn(directory), text);
}

function fileIn(directory: string): string {
  return path.join(directory, 'measurements.json');
}
