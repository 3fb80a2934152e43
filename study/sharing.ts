/**
 * Every way of sharing on one split: what leaves a place, how often it has to be online, what is promised, and what
 * the de-identifier that comes of it finds in held-out documents of every place.
 */
import type { MatrixMaterial } from './matrix.js';
import { learnInOnePlace } from './pooled-sharing.js';
import type { SharingOptions, SharingResult } from './sharing-result.js';
import { isTogether, type SharingWay, sharingName } from './sharing-way.js';
import { Stopwatch } from './stopwatch.js';
import type { Work } from './subject.js';
import { learnTogether } from './trained-together.js';

/** Trains and measures one way. The seed of the configuration parts documents too, alike in every way. */
export async function measureSharing(
  way: SharingWay,
  material: MatrixMaterial,
  options: SharingOptions,
  work: Work,
): Promise<SharingResult> {
  const stopwatch = new Stopwatch();
  const learned = isTogether(way)
    ? learnTogether(way.way, material, options, work)
    : learnInOnePlace(way, material, options, work);
  const { attack, ...shared } = await learned;
  const { wallSeconds, cpuSeconds } = stopwatch;
  return {
    ...{ row: sharingName(way), seed: options.config.seed, ...shared },
    told: await attack(),
    ...{ wallSeconds, cpuSeconds },
  };
}
