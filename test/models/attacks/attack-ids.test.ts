import { expect, test } from '@jest/globals';
import { runOfResult } from '../../../models/attacks/attack-ids.js';
import { standardAttacks } from '../../../models/attacks/standard-attacks.js';

const RUNS = standardAttacks({ adversary: { units: 8 } }).map(({ name }) => name);

test.each([
  ['known-noise-pair', 'known-noise'],
  ['known-noise-sequence-without-prior', 'known-noise-sequence'],
  ['known-noise-pair-raw-embeddings', 'known-noise-raw-embeddings'],
  ['closed-list-with-prior-pure-noise', 'closed-list-pure-noise'],
  ['confirm-note', 'confirmation'],
  ['confirm-sentence-labels-pure-noise', 'confirmation-pure-noise'],
  ['inversion-phi', 'inversion'],
])('a result called %s is one of %s', (result, run) => {
  expect(runOfResult(result, RUNS)).toBe(run);
});

test('what is no result is one of no attack', () => {
  for (const name of ['known-noise-par', 'guess-work', '', 'confirm-note-noise-off'])
    expect(runOfResult(name, RUNS)).toBeUndefined();
});
