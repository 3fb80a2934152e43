import { setImmediate } from 'node:timers/promises';
import { LEAST_ACCURACY } from '../../models/certification/accuracy.js';
import { documentsOf, estimate, type Observation } from '../../models/statistics/estimate.js';
import { ofOrigins } from '../../models/statistics/origins.js';
import { quantile } from '../../models/statistics/quantile.js';
import { pairLimits } from '../../models/training/unequal-noise-limit.js';
import { asMeasured } from '../runs/measured.js';
import type { Bounds } from '../runs/measurements.js';
import { requireRepresentation, type Subject, type Work } from '../runs/subject.js';

/**
 * The limit on every adversary of pairs where the noise depends on the input, by the looser inequality
 * that holds there (certification/unequal-noise.ts): of the pairs that other runs are measured on.
 */
export async function unequalNoiseBounds(subject: Subject, work: Work): Promise<Bounds> {
  const representation = requireRepresentation(subject);
  const { batches, draws, origins } = await subject.heldOutTrials(work);
  const random = subject.random('unequal-noise');
  const observed: Observation[] = [];
  for (const [done, batch] of batches.entries()) {
    work.signal?.throwIfAborted();
    work.progress?.({ step: 'bound', done, total: batches.length, unit: 'batches' });
    const sentences = batch.map(({ example }) => example.ids);
    const pairs = { sentences, twins: batch.map(({ twin }) => twin), draws };
    const own = pairLimits(representation, subject.notes.vocabulary, pairs, random);
    batch.forEach(({ example: { documentIndex } }, i) => {
      observed.push({ documentIndex, value: own[i] });
    });
    await setImmediate();
  }
  const independent = ofOrigins(observed, origins);
  const limits = observed.map(({ value }) => value);
  const limitAt = (q: number) => quantile(limits, q) ?? LEAST_ACCURACY;
  return {
    inequality: 'bhattacharyya',
    certified: {
      pairs: observed.length,
      documents: documentsOf(independent),
      draws,
      bound: asMeasured(estimate(independent, 1, LEAST_ACCURACY)),
      median: limitAt(0.5),
      percentile95: limitAt(0.95),
      percentile99: limitAt(0.99),
      maximum: limitAt(1),
      shareOver60: limits.filter((limit) => limit > 0.6).length / limits.length,
      slices: [],
    },
  };
}
