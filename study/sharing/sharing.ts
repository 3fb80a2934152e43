/**
 * Every way of sharing on one split: what leaves a place, how often it has to be online, what is promised, and what
 * the de-identifier that comes of it finds in held-out documents of every place.
 */

import { Stopwatch } from '../runs/stopwatch.js';
import type { Work } from '../runs/subject.js';
import type { MatrixMaterial } from './matrix.js';
import { learnFromBoth } from './one-network-sharing.js';
import { learnWithOwnText } from './own-text-sharing.js';
import { learnInOnePlace } from './pooled-sharing.js';
import type { LearnedWay, SharingOptions, SharingResult } from './sharing-result.js';
import {
  isOneNetwork,
  isOwn,
  isTogether,
  PUBLIC_NOTES,
  type SharingWay,
  sharingName,
} from './sharing-way.js';
import { learnPublicNotes, learnTogether } from './trained-together.js';

/** Trains and measures one way. The seed of the configuration parts documents too, alike in every way. */
export async function measureSharing(
  way: SharingWay,
  material: MatrixMaterial,
  options: SharingOptions,
  work: Work,
): Promise<SharingResult> {
  const stopwatch = new Stopwatch();
  const { attack, earlier, ...shared } = await learn(way, material, options, work);
  const { wallSeconds, cpuSeconds } = stopwatch;
  return {
    ...{ row: sharingName(way), seed: options.config.seed, ...shared },
    told: await attack(),
    wallSeconds: wallSeconds + (earlier?.wallSeconds ?? 0),
    cpuSeconds: cpuSeconds + (earlier?.cpuSeconds ?? 0),
  };
}

function learn(
  way: SharingWay,
  material: MatrixMaterial,
  options: SharingOptions,
  work: Work,
): Promise<LearnedWay> {
  if (way.way === PUBLIC_NOTES) return learnPublicNotes(material, options, work);
  if (isTogether(way)) return learnTogether(way.way, material, options, work);
  if (isOneNetwork(way)) return learnFromBoth(way, material, options, work);
  if (isOwn(way)) return learnWithOwnText(way, material, options, work);
  return learnInOnePlace(way, material, options, work);
}
