import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { EpochRecord } from '../../models/training/run/metrics-file.js';
import { NETWORKS_FILE } from '../../models/training/run/trained-networks.js';
import { textIfThere } from '../../platform/files/optional-file.js';
import { TacetError } from '../../proto/errors.js';
import { jsonIn } from '../../proto/json-text.js';
import { epochsOf } from './epoch-records.js';
import { type FinishedRun, openFinishedRun } from './finished-run.js';
import { type Measurements, readMeasurements } from './measurements.js';

/** A finished run as it lies on disk, with what was measured of it. */
export interface CollectedRun {
  /** Its place below the directory of all runs. */
  readonly name: string;
  readonly run: FinishedRun;
  readonly hasRepresentation: boolean;
  readonly measurements: Measurements | null;
  /** What was learned to measure it: a new de-identifier, and the adversary that learned on. */
  readonly measuring: Readonly<Record<'released' | 'adversary', readonly EpochRecord[]>>;
}

/** A run that is left out, and why. */
export interface Unreadable {
  readonly name: string;
  readonly why: string;
}

export interface Collected {
  readonly runs: readonly CollectedRun[];
  /** Runs that have not come to their end. */
  readonly unfinished: readonly string[];
  readonly unreadable: readonly Unreadable[];
}

const CONFIG = 'config.json';
/** Work below a run that looks like a run itself. */
const INSIDE = new Set(['checkpoints', 'measuring']);

/**
 * All runs at or below a directory, by name; one that cannot be read keeps none of the others from it.
 * Throws `file-not-found` where there is none.
 */
export async function collectRuns(directory: string): Promise<Collected> {
  const runs: CollectedRun[] = [];
  const unfinished: string[] = [];
  const unreadable: Unreadable[] = [];
  for await (const name of runsBelow(directory, '')) {
    const own = path.join(directory, name);
    const found = await collectRun(name, own).catch((error) => whyOf(error, name, own));
    if (found === undefined) unfinished.push(name);
    else if ('why' in found) unreadable.push(found);
    else runs.push(found);
  }
  if (runs.length + unfinished.length + unreadable.length === 0)
    throw new TacetError('file-not-found', `${directory}: there is no run in it or below`);
  return { runs, unfinished, unreadable };
}

/** Undefined where it has not come to its end. */
async function collectRun(name: string, own: string): Promise<CollectedRun | undefined> {
  const file = path.join(own, NETWORKS_FILE);
  const networks = await textIfThere(file);
  if (networks === undefined) return undefined;
  const measuring = (measurement: string) => epochsOf(path.join(own, 'measuring', measurement));
  return {
    name,
    run: await openFinishedRun(own),
    hasRepresentation: 'representation' in networksIn(networks, file),
    measurements: await readMeasurements(own),
    measuring: { released: await measuring('released'), adversary: await measuring('adversary') },
  };
}

/** The configurations of networks by name. */
function networksIn(text: string, file: string): object {
  const found = jsonIn(text);
  if (typeof found === 'object' && found !== null) return found;
  throw new TacetError('file-unreadable', `${file}: expected the networks that a run ended with`);
}

/** No report tells where on a machine a run lay: files are named as they lie in it. */
function whyOf(error: unknown, name: string, own: string): Unreadable {
  if (!(error instanceof TacetError)) throw error;
  return { name, why: error.message.replaceAll(`${own}${path.sep}`, '').replaceAll(own, name) };
}

/** `NAME: why`, for people. */
export function unreadableText({ name, why }: Unreadable): string {
  return `not readable: ${name}: ${why}`;
}

async function* runsBelow(root: string, name: string): AsyncGenerator<string> {
  const entries = await readdir(path.join(root, name), { withFileTypes: true }).catch(() => []);
  if (entries.some((entry) => entry.name === CONFIG)) yield name === '' ? '.' : name;
  const folders = entries.filter((entry) => entry.isDirectory() && !INSIDE.has(entry.name));
  for (const folder of folders.map((entry) => entry.name).sort(byNumber))
    yield* runsBelow(root, path.join(name, folder));
}

/** `adv100` before `adv1000`, `seed-2` before `seed-10`. */
function byNumber(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
