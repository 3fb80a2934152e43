import { getFloat16 } from '@petamoriken/float16';
import { float16Bits } from './float16-bits.js';

/** How one number of a vector is stored, little-endian. */
export const ELEMENT_TYPES = ['float16', 'float32'] as const;
export type ElementType = (typeof ELEMENT_TYPES)[number];

export const ELEMENT_BYTES: Readonly<Record<ElementType, number>> = { float16: 2, float32: 4 };

const FLOAT16_VALUES = 65_536;
/** The bits of a float16 that are not its sign. */
const MAGNITUDE = 0x7fff;
const LEAST_EXPONENT = 0x0400;
/** The same of two float16 in a word. */
const SIGNS = 0x8000_8000;
const MAGNITUDES = 0x7fff_7fff;
const LEAST_EXPONENTS = 0x0400_0400;

/** Every float16 value by its 16 bits; a look-up decodes many times faster than arithmetic. */
let float16Table: Float32Array | undefined;
let squaresTable: Float32Array | undefined;

/**
 * `values` as little-endian elements. Rounding to float16 is part of the release: its coarse grid
 * keeps the low bits of the noise arithmetic from telling anything.
 */
export function encodeElements(values: Float32Array, type: ElementType): Uint8Array {
  const bytes = new Uint8Array(values.length * ELEMENT_BYTES[type]);
  encodeElementsInto(values, type, bytes);
  return bytes;
}

/** Writes what `encodeElements` gives at the start of `bytes`. */
export function encodeElementsInto(
  values: Float32Array,
  type: ElementType,
  bytes: Uint8Array<ArrayBufferLike>,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (type === 'float16') {
    const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
    for (let i = 0; i < bits.length; i++) view.setUint16(2 * i, float16Bits(bits[i]), true);
  } else {
    for (let i = 0; i < values.length; i++) view.setFloat32(4 * i, values[i], true);
  }
}

/** The numbers that `encodeElements` stored; `bytes.length` is a multiple of the element's size. */
export function decodeElements(bytes: Uint8Array, type: ElementType): Float32Array {
  const values = new Float32Array(bytes.length / ELEMENT_BYTES[type]);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (type === 'float16') {
    const table = tableOfFloat16();
    for (let i = 0; i < values.length; i++) values[i] = table[view.getUint16(2 * i, true)];
  } else {
    for (let i = 0; i < values.length; i++) values[i] = view.getFloat32(4 * i, true);
  }
  return values;
}

/** Whether none of the elements from byte `start` to `stop` is an infinity or NaN. */
export function areFinite(view: DataView, type: ElementType, start: number, stop: number): boolean {
  if (type === 'float32') return Number.isFinite(squaredNorm(view, type, start, stop));
  // Adding one to an exponent of ones carries into the place of the sign, in both halves of a word.
  let carried = 0;
  const pairsStop = start + ((stop - start) & ~3);
  for (let i = start; i < pairsStop; i += 4)
    carried |= (view.getUint32(i, true) & MAGNITUDES) + LEAST_EXPONENTS;
  if (pairsStop < stop) carried |= (view.getUint16(pairsStop, true) & MAGNITUDE) + LEAST_EXPONENT;
  return (carried & SIGNS) === 0;
}

/**
 * Sum of the squares of the elements from byte `start` to `stop`; not finite exactly where an element
 * is an infinity or NaN, for the largest float32 squared is far from the largest double.
 */
export function squaredNorm(
  view: DataView,
  type: ElementType,
  start: number,
  stop: number,
): number {
  if (type === 'float16') return squaredNorm16(view, start, stop);
  let sum = 0;
  for (let i = start; i < stop; i += 4) sum += view.getFloat32(i, true) ** 2;
  return sum;
}

/**
 * Sums of the squares of elements [n] of `bytes`, each from byte places[2 i] to places[2 i + 1]; not finite exactly
 * where an element is an infinity or NaN.
 */
export type SquaredNorms = (
  bytes: Uint8Array,
  type: ElementType,
  places: Int32Array,
) => Float64Array;

export const squaredNorms: SquaredNorms = (bytes, type, places) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float64Array.from({ length: places.length / 2 }, (_, i) =>
    squaredNorm(view, type, places[2 * i] as number, places[2 * i + 1] as number),
  );
};

/** Sixteen bytes a turn and eight sums, so that no addition waits for the one before. */
function squaredNorm16(view: DataView, start: number, stop: number): number {
  const squares = tableOfSquares();
  let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
  const turnsStop = start + ((stop - start) & ~15);
  for (let i = start; i < turnsStop; i += 16) {
    const [ab, cd] = [view.getInt32(i, true), view.getInt32(i + 4, true)];
    const [ef, gh] = [view.getInt32(i + 8, true), view.getInt32(i + 12, true)];
    a += squares[ab & MAGNITUDE];
    b += squares[(ab >> 16) & MAGNITUDE];
    c += squares[cd & MAGNITUDE];
    d += squares[(cd >> 16) & MAGNITUDE];
    e += squares[ef & MAGNITUDE];
    f += squares[(ef >> 16) & MAGNITUDE];
    g += squares[gh & MAGNITUDE];
    h += squares[(gh >> 16) & MAGNITUDE];
  }
  for (let i = turnsStop; i < stop; i += 2) a += squares[view.getUint16(i, true) & MAGNITUDE];
  return a + b + (c + d) + (e + f + (g + h));
}

/** Squares of the values without a sign: half the table, so that the used part stays in the cache. */
function tableOfSquares(): Float32Array {
  squaresTable ??= tableOfFloat16()
    .subarray(0, MAGNITUDE + 1)
    .map((value) => value * value);
  return squaresTable;
}

function tableOfFloat16(): Float32Array {
  if (float16Table) return float16Table;
  const view = new DataView(new ArrayBuffer(2));
  float16Table = Float32Array.from({ length: FLOAT16_VALUES }, (_, bits) => {
    view.setUint16(0, bits, true);
    return getFloat16(view, 0, true);
  });
  return float16Table;
}
