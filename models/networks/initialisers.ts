import type { Random } from '../tensor/random.js';
import type { NamedArray } from './named-arrays.js';

/** Uniform in ±√(6 / (rows + columns)) (Glorot and Bengio 2010, eq. 16). [rows, columns] */
export function glorotUniform(rows: number, columns: number, random: Random): NamedArray {
  const limit = Math.sqrt(6 / (rows + columns));
  const data = random.uniforms(rows * columns).map((u) => (2 * u - 1) * limit);
  return { shape: [rows, columns], data };
}

export function zeros(...shape: number[]): NamedArray {
  return { shape, data: new Float32Array(shape.reduce((a, b) => a * b, 1)) };
}

export function filled(value: number, ...shape: number[]): NamedArray {
  const array = zeros(...shape);
  array.data.fill(value);
  return array;
}

/** Four orthogonal [size, size] blocks side by side, one a gate (Saxe et al. 2014). [size, 4 size] */
export function orthogonalGates(size: number, random: Random): NamedArray {
  const data = new Float32Array(size * 4 * size);
  for (let gate = 0; gate < 4; gate++) {
    const block = orthogonal(size, random);
    for (let row = 0; row < size; row++) {
      data.set(block.subarray(row * size, (row + 1) * size), row * 4 * size + gate * size);
    }
  }
  return { shape: [size, 4 * size], data };
}

/** Modified Gram-Schmidt over Gaussian rows. [size, size] */
function orthogonal(size: number, random: Random): Float64Array {
  const rows = Float64Array.from(random.normals(size * size));
  for (let i = 0; i < size; i++) {
    const row = rows.subarray(i * size, (i + 1) * size);
    for (let j = 0; j < i; j++) {
      const other = rows.subarray(j * size, (j + 1) * size);
      const projection = dot(row, other);
      for (let k = 0; k < size; k++) row[k] -= projection * other[k];
    }
    const norm = Math.sqrt(dot(row, row));
    for (let k = 0; k < size; k++) row[k] /= norm;
  }
  return rows;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}
