import type { NamedArray, NamedArrays } from '../../../models/networks/named-arrays.js';

/** f(x) of one sentence [T][E] in double precision and plain loops: [T][d]. */
export function plainMean(weights: NamedArrays, x: readonly number[][]): number[][] {
  const forward = direction(weights, 'bilstm/forward', x);
  const backward = direction(weights, 'bilstm/backward', [...x].reverse()).reverse();
  const kernel = array(weights, 'projection/kernel');
  const bias = array(weights, 'projection/bias');
  return forward.map((hidden, t) => {
    const states = [...hidden, ...(backward[t] as number[])];
    const isResidual = (kernel.shape[0] as number) > states.length;
    const read = isResidual ? [...states, ...(x[t] as number[])] : states;
    const projected = affine(read, kernel, bias);
    const norm = Math.hypot(...projected);
    return projected.map((value) => value / norm);
  });
}

/** σ of the noise called `name`. */
export function plainStddev(weights: NamedArrays, name: 'noise/input' | 'noise/output'): number[] {
  return Array.from(array(weights, name).data, (raw) => Math.log1p(Math.exp(raw)) + 0.01);
}

function direction(weights: NamedArrays, name: string, x: readonly number[][]): number[][] {
  const kernel = array(weights, `${name}/kernel`);
  const recurrent = array(weights, `${name}/recurrent`);
  const bias = array(weights, `${name}/bias`);
  const H = recurrent.shape[0] as number;
  let h = new Array<number>(H).fill(0);
  let c = new Array<number>(H).fill(0);
  return x.map((input) => {
    const own = affine(input, kernel, bias);
    const gates = affine(h, recurrent).map((value, i) => value + (own[i] as number));
    const gate = (index: number, k: number) => gates[index * H + k] as number;
    c = c.map(
      (cell, k) => sigmoid(gate(1, k)) * cell + sigmoid(gate(0, k)) * Math.tanh(gate(2, k)),
    );
    h = c.map((cell, k) => sigmoid(gate(3, k)) * Math.tanh(cell));
    return h;
  });
}

function affine(x: readonly number[], kernel: NamedArray, bias?: NamedArray): number[] {
  const columns = kernel.shape[1] as number;
  return Array.from({ length: columns }, (_, j) =>
    x.reduce(
      (sum, value, i) => sum + value * (kernel.data[i * columns + j] as number),
      (bias?.data[j] as number | undefined) ?? 0,
    ),
  );
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

function array(weights: NamedArrays, name: string): NamedArray {
  const found = weights[name];
  if (!found) throw new Error(`no weight ${name}`);
  return found;
}
