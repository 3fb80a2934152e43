import { setImmediate } from 'node:timers/promises';
import { estimate, type Observation } from '../models/statistics/estimate.js';
import { unequalNoiseLimits } from '../models/training/unequal-noise-limit.js';
import { asMeasured } from './measured.js';
import type { Bounds } from './measurements.js';
import { requireRepresentation, type Subject, type Work } from './subject.js';

/**
 * The limit on every adversary of pairs where the noise depends on the input, by the looser inequality
 * that holds there (training/unequal-noise.ts): of the pairs that other runs are measured on.
 */
export async function unequalNoiseBounds(subject: Subject, work: Work): Promise<Bounds> {
  const representation = requireRepresentation(subject);
  const { batches, draws } = await subject.heldOutTrials(work);
  const random = subject.random('unequal-noise');
  const observed: Observation[] = [];
  for (const [done, batch] of batches.entries()) {
    work.signal?.throwIfAborted();
    work.progress?.({ step: 'bound', done, total: batches.length, unit: 'batches' });
    const sentences = batch.map(({ example }) => example.ids);
    const pairs = { sentences, twins: batch.map(({ twin }) => twin), draws };
    const limits = unequalNoiseLimits(representation, subject.notes.vocabulary, pairs, random);
    batch.forEach(({ example: { documentIndex } }, i) => {
      observed.push({ documentIndex, value: limits[i] });
    });
    await setImmediate();
  }
  const sorted = observed.map(({ value }) => value).sort((a, b) => a - b);
  const quantile = (q: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
  return {
    inequality: 'bhattacharyya',
    certified: {
      pairs: observed.length,
      documents: new Set(observed.map(({ documentIndex }) => documentIndex)).size,
      draws,
      bound: asMeasured(estimate(observed)),
      median: quantile(0.5),
      percentile95: quantile(0.95),
      percentile99: quantile(0.99),
      maximum: sorted[sorted.length - 1],
      shareOver60: sorted.filter((limit) => limit > 0.6).length / sorted.length,
      slices: [],
    },
  };
}
