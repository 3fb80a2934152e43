import { expect, test } from '@jest/globals';
import {
  readTrainingCurve,
  trainingCurve,
  writeTrainingCurve,
} from '../../../models/bundle/training-curve.js';

const EPOCH = { stage: 'P1', epoch: 1, train: { l_deid: 0.4 }, validation: { l_deid: null } };

test('a training curve is read as it was written, without what else metrics say', () => {
  const curve = trainingCurve([{ ...EPOCH, seconds: 3 } as typeof EPOCH]);
  expect(curve.epochs).toEqual([EPOCH]);
  expect(readTrainingCurve(writeTrainingCurve(curve))).toEqual(curve);
});

test.each([
  ['without epochs', []],
  ['with an epoch zero', [{ ...EPOCH, epoch: 0 }]],
  ['with a metric that is no number', [{ ...EPOCH, train: { l_deid: 'low' } }]],
  ['with too many epochs', Array(2001).fill(EPOCH)],
  ['with a stage without a name', [{ ...EPOCH, stage: '' }]],
])('one %s is refused', (_what, epochs) => {
  expect(() => trainingCurve(epochs as (typeof EPOCH)[])).toThrow('the training curve');
});

test.each(['', '{', '[]', '{"format":"tacet-curve-2","epochs":[]}'])('%j is none', (text) => {
  expect(() => readTrainingCurve(Buffer.from(text))).toThrow(
    expect.objectContaining({ code: 'bundle-invalid' }),
  );
});
