import { expect, test } from '@jest/globals';
import { originsOf } from '../../../../models/text/corpus/kept-together.js';

test('documents have one origin where they are of one patient, and others where not', () => {
  const ids = ['220-01', 'ana', '220-02', 'berta', '221-01'];
  const origins = originsOf(ids.map((id) => ({ id, text: `A note: ${id}` })));
  expect(ids.map((_, index) => origins.get(index))).toEqual([0, 1, 0, 2, 3]);
});
