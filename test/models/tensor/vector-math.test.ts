import { describe, expect, test } from '@jest/globals';
import { nativeFunction } from '../../../models/tensor/addon.js';
import type { InstructionSet } from '../../../models/tensor/native-functions.js';
import { instructionSets } from './native-session.js';

const SMALLEST_NORMAL = 2 ** -126;

/** Floats over the whole range: every 16,411th bit pattern, and the neighbourhood of the corners. */
function sweep(): Float32Array {
  const stride = 16_411;
  const bits = Uint32Array.from({ length: Math.floor(2 ** 32 / stride) }, (_, i) => i * stride);
  const corners = [-104, -103, -88, -87.4, -87, -20, -9, -0.35, 0, 0.35, 9, 20, 87, 88.7, 88.8];
  const near = corners.flatMap((corner) =>
    Array.from({ length: 200 }, (_, i) => corner + (i - 100) * 1e-3),
  );
  return Float32Array.from([...new Float32Array(bits.buffer), ...near]);
}

/** The distance between a float and an exact value, in units in the last place of the latter. */
function unitsInLastPlace(found: number, exact: number): number {
  if (Object.is(found, Math.fround(exact))) return 0;
  const magnitude = Math.max(Math.abs(exact), SMALLEST_NORMAL);
  return Math.abs(found - exact) / 2 ** (Math.floor(Math.log2(magnitude)) - 23);
}

function apply(
  name: 'vectorExp' | 'vectorTanh' | 'vectorSigmoid',
  instructionSet: InstructionSet,
  input: Float32Array,
): Float32Array {
  const before = nativeFunction('useIsa')(instructionSet);
  const output = new Float32Array(input.length);
  nativeFunction(name)(input, output);
  nativeFunction('useIsa')(before);
  return output;
}

/** The largest error over the finite and infinite inputs that `of` keeps. */
function worst(
  output: Float32Array,
  input: Float32Array,
  exact: (x: number) => number,
  keep: (x: number) => boolean = () => true,
): number {
  let largest = 0;
  for (let i = 0; i < input.length; i++) {
    const x = input[i] as number;
    if (Number.isNaN(x) || !keep(x)) continue;
    const value = exact(x);
    // What rounds to infinity is infinity; a difference of infinities would be NaN.
    if (Math.fround(value) === output[i]) continue;
    largest = Math.max(largest, unitsInLastPlace(output[i] as number, value));
  }
  return largest;
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

describe.each(instructionSets())('vector functions on %s', (instructionSet) => {
  const input = sweep();

  test('exp is within 3 units in the last place of the exact value everywhere', () => {
    expect(worst(apply('vectorExp', instructionSet, input), input, Math.exp)).toBeLessThan(3);
  });

  test('tanh is within 4 units in the last place of the exact value everywhere', () => {
    expect(worst(apply('vectorTanh', instructionSet, input), input, Math.tanh)).toBeLessThan(4);
  });

  test('sigmoid is within 4 units in the last place, and tiny where the exact value is', () => {
    const output = apply('vectorSigmoid', instructionSet, input);
    expect(worst(output, input, sigmoid, (x) => x > -87)).toBeLessThan(4);
    const below = output.filter((_, i) => (input[i] as number) <= -87);
    expect(below.every((value) => value >= 0 && value < 1.7e-38)).toBe(true);
  });

  test('infinities give limits and NaN gives NaN', () => {
    const corners = Float32Array.of(-Infinity, Infinity, NaN, 0, -0);
    expect([...apply('vectorExp', instructionSet, corners)]).toEqual([0, Infinity, NaN, 1, 1]);
    expect([...apply('vectorTanh', instructionSet, corners)]).toEqual([-1, 1, NaN, 0, -0]);
    const [low, high, none, ...half] = apply('vectorSigmoid', instructionSet, corners);
    expect(low).toBeLessThan(1.7e-38);
    expect([high, none, ...half]).toEqual([1, NaN, 0.5, 0.5]);
  });
});
