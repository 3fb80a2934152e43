import type { Random } from '../tensor/random.js';
import type { InitialWeight } from './initial-weights.js';

/** Uniform in ±√(6 / (rows + columns)) (Glorot and Bengio 2010, eq. 16). [rows, columns] */
export function glorotUniform(rows: number, columns: number): InitialWeight {
  const limit = Math.sqrt(6 / (rows + columns));
  return {
    shape: [rows, columns],
    draw: (random) => random.uniforms(rows * columns).map((u) => (2 * u - 1) * limit),
  };
}

export function zeros(...shape: number[]): InitialWeight {
  return filled(0, ...shape);
}

export function filled(value: number, ...shape: number[]): InitialWeight {
  const size = shape.reduce((a, b) => a * b, 1);
  return { shape, draw: () => new Float32Array(size).fill(value) };
}

/** The bias of an LSTM's gates, one for the forget gate (Jozefowicz et al. 2015). [4 size] */
export function forgetBias(size: number): InitialWeight {
  return { shape: [4 * size], draw: () => new Float32Array(4 * size).fill(1, size, 2 * size) };
}

/** Four orthogonal [size, size] blocks side by side, one a gate (Saxe et al. 2014). [size, 4 size] */
export function orthogonalGates(size: number): InitialWeight {
  const draw = (random: Random) => {
    const data = new Float32Array(size * 4 * size);
    for (let gate = 0; gate < 4; gate++) {
      const block = orthogonal(size, random);
      for (let row = 0; row < size; row++) {
        data.set(block.subarray(row * size, (row + 1) * size), row * 4 * size + gate * size);
      }
    }
    return data;
  };
  return { shape: [size, 4 * size], draw };
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
