import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { boundText } from '../../../services/cli/bound-text.js';

test('a bound is never said to be less than it is, nor a thousandth more', () => {
  expect([0.5, 0.5371, 0.6, 0.9999, 1].map(boundText)).toEqual([
    ...['0.500', '0.538', '0.600', '1.000', '1.000'],
  ]);
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (bound) => {
      const said = Number(boundText(bound));
      expect(said).toBeGreaterThanOrEqual(bound);
      expect(said).toBeLessThanOrEqual(bound + 0.001);
    }),
  );
});
