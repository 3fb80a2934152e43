import { expect, test } from '@jest/globals';
import { CLASS_SIZES, classOf } from '../../../models/tensor/buffer-classes.js';

test('a class is the first that holds so many bytes, up to 2^53', () => {
  expect([CLASS_SIZES[0], CLASS_SIZES.at(-1)]).toEqual([64, 2 ** 53]);
  const wrong = [...CLASS_SIZES].flatMap((size, index) => [
    ...(classOf(size) === index ? [] : [size]),
    ...(classOf(size - 1) === index ? [] : [size - 1]),
    ...(index + 1 === CLASS_SIZES.length || classOf(size + 1) === index + 1 ? [] : [size + 1]),
  ]);
  expect(wrong).toEqual([]);
  expect([0, 1, 64, 65, 80, 81].map(classOf)).toEqual([0, 0, 0, 1, 1, 2]);
});

test('a class is a quarter larger than the one before at most', () => {
  for (let index = 1; index < CLASS_SIZES.length; index++)
    expect(CLASS_SIZES[index]).toBeLessThanOrEqual(1.25 * CLASS_SIZES[index - 1]);
});
