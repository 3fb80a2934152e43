import path from 'node:path';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { documentsDigest } from '../../../models/text/documents-digest.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import type { TrainingConfig } from '../../../models/training/configuration/config.js';
import { makeFolders } from '../../../platform/files/make-folders.js';
import { TacetError } from '../../../proto/errors.js';
import { frozenDigest, openRepresentation } from '../../../study/runs/frozen.js';
import type { Site } from '../../../study/runs/sites.js';
import {
  type MatrixMaterial,
  type MatrixOptions,
  type MatrixResult,
  type MatrixRow,
  matrixRows,
  measureLimits,
  measureRow,
  rowName,
  type SiteLimits,
} from '../../../study/sharing/matrix.js';
import type { Context } from '../context.js';
import { onceMeasured, type Settings } from './measured-once.js';
import type { Named } from './named.js';
import { readLabelled } from './run-material.js';

export interface MatrixComparison {
  readonly provider: Named<string>;
  readonly sites: Named<string>;
  readonly heldOut: Named<string>;
  readonly heldOutShare: number;
  readonly unseen: Named<string>;
  /** Folders of frozen representations. */
  readonly representations: Named<string>;
  readonly embeddings: string;
  readonly scheme: string;
  readonly neighbours: number;
  readonly seeds: readonly number[];
  readonly config: TrainingConfig;
  /** A file for each row and seed, and one for the limits of each representation by the first seed; none is measured again. */
  readonly out: string;
}

export interface LimitsOf {
  readonly representation: string;
  readonly sites: SiteLimits;
}

export interface Matrix {
  readonly rows: readonly MatrixResult[];
  readonly limits: readonly LimitsOf[];
}

type Work = Pick<Context, 'signal' | 'progress' | 'say'>;

/**
 * Measures every row that is not there yet, and the limits of every representation on the first seed's held-out
 * documents. Throws `usage` where a held-out part is of no place or there is more than one provider.
 */
export async function compareMatrix(
  { representations, ...comparison }: MatrixComparison,
  context: Work,
): Promise<Matrix> {
  requireDistinct('representation', representations);
  const { config, seeds, neighbours, out, provider, sites } = comparison;
  makeFolders(out);
  const { material, options } = await readPlaces(comparison, context);
  const settings = placeSettings(comparison, material, options);
  const at = (seed: number): MatrixOptions => ({ ...options, config: { ...config, seed } });
  const places = [...provider, ...sites].map(([name]) => name);
  const rows: MatrixResult[] = [];
  const limits: LimitsOf[] = [];
  const measureAll = async (row: MatrixRow, more: Settings = {}) => {
    for (const seed of seeds) {
      const file = path.join(out, `${rowName(row)}-seed-${seed}.json`);
      const measure = () => measureRow(row, material, at(seed), context);
      const result = await onceMeasured(file, { ...settings, ...more }, measure);
      rows.push(result);
      context.say(`${result.row}, seed ${seed}: ${result.epochs} epochs`);
    }
  };
  for (const row of matrixRows(places)) await measureAll(row);
  for (const [name, directory] of representations) {
    const representation = await openRepresentation(directory, material.embeddings);
    const through = { name, representation };
    const more = { representation: await frozenDigest(directory) };
    try {
      await measureAll({ way: 'released', through }, more);
      const seed = seeds[0] ?? config.seed;
      const file = path.join(out, `limits ${name}-seed-${seed}.json`);
      const given = { ...at(seed), neighbours };
      const measure = () => measureLimits(through, material, given, context);
      const found = await onceMeasured(file, { ...settings, ...more, neighbours }, measure);
      limits.push({ representation: name, sites: found });
    } finally {
      through.representation.dispose();
    }
  }
  return { rows, limits };
}

function requireConsistent({
  provider,
  sites,
  heldOut,
  unseen,
}: Pick<MatrixComparison, 'provider' | 'sites' | 'heldOut' | 'unseen'>): void {
  if (provider.length > 1)
    throw new TacetError('usage', `${provider.length} providers: expected one at most`);
  requireDistinct('place', [...provider, ...sites, ...unseen]);
  requireDistinct('held-out part', heldOut);
  const names = sites.map(([name]) => name);
  const stray = heldOut.find(([name]) => !names.includes(name))?.[0];
  if (stray !== undefined)
    throw new TacetError('usage', `${stray}: expected one of the places ${names.join(', ')}`);
}

/** Results are kept by name. */
function requireDistinct(what: string, named: Named<string>): void {
  const names = named.map(([name]) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined)
    throw new TacetError('usage', `${twice} is named twice: expected one ${what} of a name`);
}

/** What a result of these places rests on, seeds and representations apart. */
export function placeSettings(
  {
    config: { seed: _, ...config },
    heldOutShare,
  }: Pick<MatrixComparison, 'config' | 'heldOutShare'>,
  { scheme, embeddings }: MatrixMaterial,
  { provider, sites, heldOut, unseen }: Omit<MatrixOptions, 'config'>,
): Settings {
  const digests = (places: readonly Site[] = []) =>
    places.map(({ name, documents }) => [name, documentsDigest(documents)]);
  return {
    configuration: config,
    'held-out share': heldOutShare,
    scheme: scheme.digest,
    'word vectors': embeddings.identity,
    provider: digests(provider && [provider]),
    ...{
      sites: digests(sites),
      'held-out notes': digests(heldOut),
      'unseen notes': digests(unseen),
    },
  };
}

/** Reads documents of all places, and word vectors. Throws `usage` where places do not go together. */
export async function readPlaces(
  comparison: Omit<MatrixComparison, 'representations' | 'neighbours'>,
  { signal, progress }: Pick<Work, 'signal' | 'progress'>,
): Promise<{ material: MatrixMaterial; options: Omit<MatrixOptions, 'config'> }> {
  requireConsistent(comparison);
  const scheme = loadLabelScheme(comparison.scheme);
  const read = (named: Named<string>) =>
    Promise.all(
      named.map(async ([name, corpus]) => ({
        name,
        documents: await readLabelled(corpus, scheme, signal),
      })),
    );
  // Before the word vectors, which take longer to read.
  const [provider] = await read(comparison.provider);
  const { heldOutShare, out: directory } = comparison;
  const options = {
    ...{ provider, heldOutShare, directory },
    sites: await read(comparison.sites),
    heldOut: await read(comparison.heldOut),
    unseen: await read(comparison.unseen),
  };
  const embeddings = await openEmbeddings(comparison.embeddings, { signal, progress });
  return { material: { scheme, embeddings }, options };
}
