import type { Tagger } from '../../models/networks/tagger.js';
import type { Work } from '../runs/subject.js';
import { learnRow, type MatrixMaterial, rowName } from './matrix.js';
import { learnPooled } from './pooled-sharing.js';
import { readersOf } from './readers.js';
import { type LearnedWay, NOTHING_LEAVES, type SharingOptions } from './sharing-result.js';
import { type OwnWay, sharedIn } from './sharing-way.js';
import { type SiteScores, scoresBySite } from './site-scores.js';

/**
 * Every place trains on its own text and the provider's, which is public, and reads with that network and what `way` puts
 * beside it: another of its own, or the one that was learned from what all places shared. A place that nobody trains on
 * has the provider's in its place. What leaves a place is what it shares; its own network stays.
 */
export async function learnWithOwnText(
  way: OwnWay,
  material: MatrixMaterial,
  options: SharingOptions,
  work: Work,
): Promise<LearnedWay> {
  const shares = sharedIn(way);
  const pooled = shares && (await learnPooled(shares, material, options, work));
  const { tagger, ...leaves } = pooled ?? { ...NOTHING_LEAVES, tagger: undefined };
  try {
    const sites: Record<string, SiteScores> = {};
    const earlier = { wallSeconds: 0, cpuSeconds: 0 };
    const once = { ...options, copies: undefined };
    for (const [of, places] of readersOf(options)) {
      const own: Tagger[] = [];
      for (const again of way.way === 'own text twice' ? [false, true] : [false]) {
        const row = { way: 'text', of, again } as const;
        const train = async () => (await learnRow(row, material, once, work)).tagger;
        const isKnown = options.networks.has(rowName(row));
        const learned = await options.networks.learn(rowName(row), train);
        own.push(learned.tagger);
        if (!isKnown) continue;
        earlier.wallSeconds += learned.wallSeconds;
        earlier.cpuSeconds += learned.cpuSeconds;
      }
      const [first, ...beside] = [...own, ...(tagger ? [tagger] : [])] as [Tagger, ...Tagger[]];
      Object.assign(sites, scoresBySite({ ...first, beside }, places, work));
    }
    return { ...leaves, sites, earlier };
  } finally {
    tagger?.deidentifier.dispose();
  }
}
