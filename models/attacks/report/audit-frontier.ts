import type { Figure } from '../../charts/figure.js';
import { type FrontierPoint, frontierSeries, STRONGEST_ATTACK } from '../../charts/frontier.js';
import { percentAxis } from '../../charts/percent-axis.js';
import { CHANCE, flatLine } from '../../charts/reference-lines.js';

/** What attackers of several audited models get right, against what the models are worth. */
export function auditFrontier(points: readonly FrontierPoint[]): Figure {
  const curves = frontierSeries(points);
  const x = percentAxis('F1 of the de-identifier, per cent', curves, 0);
  const y = percentAxis('right answers on balanced pairs, per cent', [
    ...curves,
    { name: '', points: [[0, CHANCE]] },
  ]);
  return {
    title: 'What an attacker gets right, against what the model is worth',
    x,
    y,
    series: [...curves, STRONGEST_ATTACK, flatLine('chance', CHANCE, x)],
    caption:
      'Filled: the certified limit on every possible attack, a mean over pairs. Hollow: the strongest ' +
      'attack on pairs that was tried. Down and to the right is better. Bars: 95 % intervals.',
  };
}
