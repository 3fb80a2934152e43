import path from 'node:path';
import { Random } from '../../../models/tensor/random.js';
import { makeFolders } from '../../../platform/files/make-folders.js';
import { TacetError } from '../../../proto/errors.js';
import { frozenDigest, openRepresentation } from '../../../study/runs/frozen.js';
import { LearnedOnce } from '../../../study/runs/learned-once.js';
import { partSites } from '../../../study/runs/sites.js';
import { measureSharing } from '../../../study/sharing/sharing.js';
import type { SharingOptions, SharingResult } from '../../../study/sharing/sharing-result.js';
import {
  copiesOf,
  isReplaced,
  isTogether,
  type SharingWay,
  sharingName,
  sharingWays,
} from '../../../study/sharing/sharing-way.js';
import type { Context } from '../context.js';
import { type MatrixComparison, placeSettings, readPlaces } from './matrix-comparison.js';
import { onceMeasured } from './measured-once.js';
import { writeParts } from './written-parts.js';

/** How entities are replaced: results of rows that had it otherwise are others. */
const SURROGATES = 'drawn by place, once it is drawn which notes validate';
/** Which updates of training together are attacked, likewise. */
const ATTACK = 'first updates from the common weights, copies included, by who knows notes enough';

export interface SharingComparison
  extends MatrixComparison,
    Pick<
      SharingOptions,
      'copies' | 'rounds' | 'guarantee' | 'privateRate' | 'sources' | 'language'
    > {
  /** Ways of these names alone, or that begin with them; all where there are none. */
  readonly only: readonly string[];
  /** A folder for what each place learns from. */
  readonly parts?: string | undefined;
}

/** Measures every way that is not there yet, by each seed. Throws as `compareMatrix` does, and `usage` for a way of no such name. */
export async function compareSharing(
  { representations, ...comparison }: SharingComparison,
  context: Pick<Context, 'signal' | 'progress' | 'say'>,
): Promise<SharingResult[]> {
  const { out, seeds, config, only } = comparison;
  const { rounds, guarantee, privateRate, neighbours, sources, language } = comparison;
  const asked = { rounds, guarantee, privateRate, neighbours };
  makeFolders(out);
  const { material, options } = await readPlaces(comparison, context);
  for (const seed of comparison.parts === undefined ? [] : seeds) {
    const { learned } = partSites(options, new Random(seed));
    await writeParts(learned, seed, comparison.parts as string, context);
  }
  const opened = await Promise.all(
    representations.map(async ([name, directory]) => {
      const representation = await openRepresentation(directory, material.embeddings);
      return { name, representation, digest: await frozenDigest(directory) };
    }),
  );
  const places = comparison.sites.map(([name]) => name);
  const ways = chosenOf(sharingWays(options.provider?.name, places, opened), only);
  const results: SharingResult[] = [];
  for (const seed of seeds) {
    const networks = new LearnedOnce();
    try {
      for (const way of ways) {
        const file = path.join(out, `${sharingName(way)}-seed-${seed}.json`);
        const copies = copiesOf(way, comparison.copies);
        const asIs = { ...asked, sources, language, networks, copies: comparison.copies };
        const given = { ...options, ...asIs, config: { ...config, seed } };
        const settings = {
          ...placeSettings(comparison, material, options),
          ...asked,
          ...(isReplaced(way) && { sources, surrogates: SURROGATES }),
          ...(isTogether(way) && { attack: ATTACK }),
          ...(config.augmentation.replaced > 0 && { language }),
          ...(Math.max(copies.provider, copies.sites) > 1 && { copies }),
          ...('through' in way && {
            representation: opened.find(({ name }) => name === way.through.name)?.digest,
          }),
        };
        const measure = () => measureSharing(way, material, given, context);
        results.push(await onceMeasured(file, settings, measure));
        context.say(`${sharingName(way)}, seed ${seed}: done`);
      }
    } finally {
      await networks.dispose();
    }
  }
  for (const { representation } of opened) representation.dispose();
  return results;
}

function chosenOf(ways: readonly SharingWay[], only: readonly string[]): readonly SharingWay[] {
  if (only.length === 0) return ways;
  const isCalled = (way: SharingWay, name: string) => way.way === name || sharingName(way) === name;
  const unknown = only.filter((name) => !ways.some((way) => isCalled(way, name)));
  if (unknown.length > 0)
    throw new TacetError(
      'usage',
      `--only: no way is called ${unknown.join(', ')}; expected some of ${ways.map(sharingName).join(', ')}`,
    );
  return ways.filter((way) => only.some((name) => isCalled(way, name)));
}
