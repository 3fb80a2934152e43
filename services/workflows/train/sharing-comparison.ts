import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { frozenDigest, openRepresentation } from '../../../study/frozen.js';
import {
  measureSharing,
  type SharingOptions,
  type SharingResult,
  sharingName,
  sharingWays,
} from '../../../study/sharing.js';
import type { Context } from '../context.js';
import { type MatrixComparison, placeSettings, readPlaces } from './matrix-comparison.js';
import { onceMeasured } from './measured-once.js';

export interface SharingComparison
  extends MatrixComparison,
    Pick<SharingOptions, 'rounds' | 'guarantee' | 'languages' | 'locales'> {
  /** Ways of these names alone, or that begin with them; all where there are none. */
  readonly only: readonly string[];
}

/** Measures every way that is not there yet, seed after seed. Throws as `compareMatrix` does. */
export async function compareSharing(
  { representations, ...comparison }: SharingComparison,
  context: Pick<Context, 'signal' | 'progress' | 'say'>,
): Promise<SharingResult[]> {
  const { out, seeds, config, only, rounds, guarantee, neighbours, languages, locales } =
    comparison;
  await mkdir(out, { recursive: true });
  const { material, options } = await readPlaces(comparison, context);
  const opened = await Promise.all(
    representations.map(async ([name, directory]) => {
      const representation = await openRepresentation(directory);
      return { name, representation, digest: await frozenDigest(directory) };
    }),
  );
  const places = [...comparison.provider, ...comparison.sites].map(([name]) => name);
  const ways = sharingWays(places, opened).filter(
    (way) => only.length === 0 || only.includes(way.way) || only.includes(sharingName(way)),
  );
  const results: SharingResult[] = [];
  for (const way of ways) {
    for (const seed of seeds) {
      const file = path.join(out, `${sharingName(way)}-seed-${seed}.json`);
      const given = {
        ...{ ...options, rounds, guarantee, neighbours, languages, locales },
        config: { ...config, seed },
      };
      const settings = {
        ...placeSettings(comparison, material, options),
        ...{ rounds, guarantee, neighbours, languages, locales },
        ...('through' in way && {
          representation: opened.find(({ name }) => name === way.through.name)?.digest,
        }),
      };
      const measure = () => measureSharing(way, material, given, context);
      results.push(await onceMeasured(file, settings, measure));
      context.say(`${sharingName(way)}, seed ${seed}: done`);
    }
  }
  for (const { representation } of opened) representation.dispose();
  return results;
}
