import { rm } from 'node:fs/promises';
import path from 'node:path';
import { readsCharacters } from '../../models/networks/character-config.js';
import { documentsDigest } from '../../models/text/documents-digest.js';
import { TacetError } from '../../proto/errors.js';
import { deidentifierScores } from '../runs/deidentifier-scores.js';
import type { FinishedRun } from '../runs/finished-run.js';
import { thisMachine } from '../runs/machine.js';
import {
  MEASUREMENTS,
  type Measurement,
  type Measurements,
  readMeasurements,
  writeMeasurements,
} from '../runs/measurements.js';
import { Stopwatch } from '../runs/stopwatch.js';
import { type Material, Subject, type Work } from '../runs/subject.js';
import { bounds, knownNoiseAttacks, type Limited, learnOn } from './attacked.js';
import { facts } from './facts.js';
import { reversedPseudonyms } from './pseudonyms.js';
import { publicNames } from './public-names.js';
import { RELEASED_FILE, releasedScores } from './released-scores.js';

export interface MeasureOptions extends Work {
  /** What to measure; what the run cannot show (attacks, where there is no representation) is left out. */
  readonly only?: readonly Measurement[] | undefined;
  /** Measures again what has been measured. */
  readonly again?: boolean | undefined;
  /** Ends the continued adversary after so many minutes, and the likelihood attacks. */
  readonly minutes?: number | undefined;
  /** Most sentences of the likelihood attacks. */
  readonly trials?: number | undefined;
  /** Told what is skipped, and what was done in how many seconds. */
  readonly say?: ((line: string) => void) | undefined;
}

const DEFAULT_TRIALS = 400;

/**
 * Measures a finished run on held-out documents, one thing after another, each written to the run's
 * `measurements.json` as soon as it is known. What is there already is not measured again, so an
 * interrupted call goes on where it stopped.
 */
export async function measure(
  run: FinishedRun,
  material: Material,
  options: MeasureOptions = {},
): Promise<Measurements> {
  const { only = MEASUREMENTS, again = false, say } = options;
  const heldOut = documentsDigest(material.heldOut);
  const before = await readMeasurements(run.directory);
  if (before && before.heldOut !== heldOut && !again)
    throw new TacetError(
      'checkpoint-invalid',
      `${run.directory} was measured on other held-out documents; give those, or measure all again`,
    );
  let found: Measurements =
    before?.heldOut === heldOut ? before : { format: 'tacet-measurements-1', heldOut };
  const subject = await Subject.open(run, material);
  try {
    for (const measurement of MEASUREMENTS.filter((each) => only.includes(each))) {
      const directory = path.join(run.directory, 'measuring', measurement);
      if (!subject.representation && NEED_REPRESENTATION.has(measurement)) continue;
      if (run.kind !== 'pseudonymized' && measurement === 'pseudonyms') continue;
      if (measurement === 'public-names' && !readsCharacters(run.config.representation)) continue;
      // Their likelihood is that of vectors before they are scaled, which nobody sees.
      if (run.config.representation.form === 'scaled-after' && measurement === 'known-noise')
        continue;
      if (again) await rm(directory, { recursive: true, force: true });
      else if (found[measurement]) continue;
      if (NEED_PAIRS.has(measurement) && !(await subject.hasHeldOutPairs(options))) {
        say?.(`${run.directory}: no ${measurement}, since ${NO_PAIRS}`);
        continue;
      }
      const stopwatch = new Stopwatch();
      const taken = await take(measurement, subject, directory, options).catch(whereUncertified);
      if ('why' in taken) {
        say?.(`${run.directory}: no ${measurement}, since ${taken.why}`);
        continue;
      }
      const { result, shortened } = taken;
      const seconds = stopwatch.wallSeconds;
      const provenance = { seconds, machine: thisMachine(), shortened };
      found = { ...found, [measurement]: { ...result, ...provenance } };
      await writeMeasurements(run.directory, found);
      for (const spent of ['checkpoints', RELEASED_FILE])
        await rm(path.join(directory, spent), { recursive: true, force: true });
      say?.(`${run.directory}: ${measurement} in ${Math.round(seconds)} s`);
    }
  } finally {
    subject.dispose();
  }
  return found;
}

const NEED_REPRESENTATION: ReadonlySet<Measurement> = new Set([
  'bounds',
  'public-names',
  'released',
  'known-noise',
  'adversary',
]);

/** Of the representation; that of pseudonymised notes finds out by itself. */
const NEED_PAIRS: ReadonlySet<Measurement> = new Set(['bounds', 'known-noise', 'adversary']);

/** Why a measurement has no answer. */
interface Untaken {
  readonly why: string;
}

const NO_PAIRS = 'no held-out sentence has PHI that can move';
const NO_PUBLIC_NAMES = 'no word without a vector could be another of its inventory';
const DEPENDENT = 'its noise depends on the input';

/** Attacks rest on one standard deviation a dimension. */
function whereUncertified(error: unknown): Untaken {
  if (error instanceof TacetError && error.code === 'not-certified') return { why: DEPENDENT };
  throw error;
}

interface Taken {
  readonly result: object;
  readonly shortened: readonly string[];
}

async function take(
  measurement: Measurement,
  subject: Subject,
  directory: string,
  { signal, progress, minutes, trials = DEFAULT_TRIALS }: MeasureOptions,
): Promise<Taken | Untaken> {
  const work: Work = { signal, progress };
  const untilMs = minutes === undefined ? Infinity : performance.now() + minutes * 60_000;
  const limited: Limited = { ...work, expired: () => performance.now() > untilMs };
  const inFull = (result: object) => ({ result, shortened: [] });
  switch (measurement) {
    case 'facts':
      return inFull(await facts(subject, work));
    case 'own':
      return inFull(await deidentifierScores(subject.tagger, subject.heldOut, work));
    case 'pseudonyms':
      return reversedPseudonyms(subject, trials, work).then((attacks) =>
        attacks ? inFull({ attacks }) : { why: NO_PAIRS },
      );
    case 'bounds':
      return inFull(await bounds(subject, work));
    case 'public-names':
      if (subject.run.config.representation.noise === 'dependent') return { why: DEPENDENT };
      return publicNames(subject, work).then((result) =>
        result ? inFull(result) : { why: NO_PUBLIC_NAMES },
      );
    case 'released':
      return inFull(await releasedScores(subject, directory, work));
    case 'known-noise': {
      const { result, shortened } = await knownNoiseAttacks(subject, trials, limited);
      return { result: { attacks: result }, shortened };
    }
    case 'adversary':
      return learnOn(subject, directory, limited);
  }
}
