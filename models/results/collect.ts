import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { TacetError } from '../../proto/errors.js';
import { NETWORKS_FILE } from '../training/trained-networks.js';
import { type FinishedRun, openFinishedRun } from './finished-run.js';
import { type Measurements, readMeasurements } from './measurements.js';

/** A finished run as it lies on disk, with what was measured of it. */
export interface CollectedRun {
  /** Its place below the directory of all runs. */
  readonly name: string;
  readonly run: FinishedRun;
  readonly hasRepresentation: boolean;
  readonly measurements: Measurements | null;
}

export interface Collected {
  readonly runs: readonly CollectedRun[];
  /** Runs that have not come to their end. */
  readonly unfinished: readonly string[];
}

const CONFIG = 'config.json';
/** Work below a run that looks like a run itself. */
const INSIDE = new Set(['checkpoints', 'measuring']);

/** All runs at or below a directory, by name. Throws `file-not-found` where there is none. */
export async function collectRuns(directory: string): Promise<Collected> {
  const runs: CollectedRun[] = [];
  const unfinished: string[] = [];
  for await (const name of runsBelow(directory, '')) {
    const own = path.join(directory, name);
    const networks = await readFile(path.join(own, NETWORKS_FILE), 'utf8').catch(() => null);
    if (networks === null) unfinished.push(name);
    else {
      const run = await openFinishedRun(own);
      const hasRepresentation = 'representation' in JSON.parse(networks);
      runs.push({ name, run, hasRepresentation, measurements: await readMeasurements(own) });
    }
  }
  if (runs.length + unfinished.length === 0)
    throw new TacetError('file-not-found', `${directory}: there is no run in it or below`);
  return { runs, unfinished };
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
