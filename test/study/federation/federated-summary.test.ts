import { expect, test } from '@jest/globals';
import type { EpochScore } from '../../../study/federation/federated.js';
import { federatedFigure } from '../../../study/federation/federated-figure.js';
import type { FederatedResult } from '../../../study/federation/federated-study.js';
import { federatedSummary } from '../../../study/federation/federated-summary.js';

const score = (epoch: number, worker: string, f1: number, seconds: number): EpochScore => ({
  ...{ epoch, worker, seconds, loss: 1, bytesUp: 0, bytesDown: 0 },
  score: { f1, precision: f1, recall: f1 },
});

function resultOf(experiment: string, seed: number, epochs: EpochScore[]): FederatedResult {
  return {
    ...{ experiment, seed, epochs, network: 'festag', workers: 2, weights: 10 },
    ...{ wallSeconds: 1, cpuSeconds: 1, guarantee: null },
  };
}

const RESULTS = [
  resultOf('C_0.1', 1, [
    ...[score(1, 'a', 0.2, 1), score(1, 'b', 0.4, 2)],
    ...[score(2, 'a', 0.6, 1), score(2, 'b', 0.8, 2)],
  ]),
  // Ended by the clock after one epoch.
  resultOf('C_0.1', 2, [score(1, 'a', 0.1, 1), score(1, 'b', 0.9, 9)]),
  resultOf('D', 1, [score(1, 'a', 0, 1), score(1, 'b', 0.5, 1)]),
];

test('a curve is the mean and the range of all networks of all seeds, as far as every seed came', () => {
  const [selective] = federatedSummary(RESULTS);
  expect(selective?.seeds).toEqual([1, 2]);
  expect(selective?.curve).toEqual([{ epoch: 1, mean: expect.closeTo(0.4), range: [0.1, 0.9] }]);
});

test('an epoch costs what all holders trained in it, and is set beside each alone', () => {
  const [selective, alone] = federatedSummary(RESULTS);
  expect(selective).toMatchObject({ epochSeconds: 3, timesLocal: 1.5 });
  expect(alone).toMatchObject({ epochSeconds: 2, timesLocal: 1 });
  const [unmatched] = federatedSummary(RESULTS.slice(0, 2));
  expect(unmatched?.timesLocal).toBeNull();
});

test('the figure is drawn of all seeds', () => {
  const { series, caption } = federatedFigure(federatedSummary(RESULTS), 'Together');
  expect(series[0]).toMatchObject({ name: 'C_0.1', intervals: [[0.1, 0.9]] });
  expect(caption).toContain('of 2 seeds');
});
