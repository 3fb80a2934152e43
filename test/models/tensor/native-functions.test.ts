import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { ARITHMETIC, COMPARISONS, UNARY } from '../../../models/tensor/elementwise-ops.js';
import type { NativeFunctions } from '../../../models/tensor/native-functions.js';
import { NORMAL_TABLE } from '../../../models/tensor/normal-table.js';
import { TacetError } from '../../../proto/errors.js';

type Name = keyof NativeFunctions;
type Call<N extends Name> = Parameters<NativeFunctions[N]>;
type Calls = { readonly [N in Name]: () => Call<N> };

const floats = (size: number) => new Float32Array(size);
const ints = (...values: number[]) => Int32Array.from(values);
const words = (size: number) => new Uint32Array(size);
const bytes = (size: number) => new Uint8Array(size);

const LAYOUT = ints(1, 4, 1, 1);
const POSITION = { key: [20, 26], counter: 4 } as const;
const REDUCTION = () => ({ x: floats(24), result: floats(8), outer: 2, middle: 3, inner: 4 });
const NOISE = () => ({ result: floats(3), table: NORMAL_TABLE, position: POSITION });

const CRF = () => ({
  emissions: floats(12),
  transitions: floats(4),
  start: floats(2),
  end: floats(2),
  lengths: ints(3, 1),
  steps: 3,
  labels: 2,
});

/** Two directions of 4 inputs and 2 units over two sequences of at most 3 steps. */
const LSTM = () => {
  const direction = { kernel: floats(32), recurrent: floats(16), bias: floats(8), mask: floats(4) };
  const directions = [
    { ...direction, reverse: false },
    { ...direction, reverse: true },
  ] as const;
  return { lengths: ints(3, 1), steps: 3, inputs: 4, units: 2, directions };
};

const FORWARD = () => {
  const packed = floats(nativeFunction('lstmPackedSize')(4, 2, false));
  const directions = LSTM().directions.map((direction) => ({ ...direction, packed }));
  const state = floats(nativeFunction('lstmStateSize')(ints(3, 1), 2, 2));
  return { ...LSTM(), directions, x: floats(24), y: floats(24), state, bfloat16: false };
};

/** The state after the forward pass. */
const GATES = () => {
  const call = FORWARD();
  nativeFunction('lstmForward')(call);
  return { ...LSTM(), state: call.state };
};

/** The state after the backward pass. */
const SPENT = () => {
  const call = GATES();
  nativeFunction('lstmBackward')({ ...call, dy: floats(24) });
  return call;
};

/** Two words of three codes under 2, windows of three, two filters. */
const WORDS = () => ({
  ...{ codes: ints(1, 1, 0, 1, 0, 0), steps: 3, width: 3, filters: 2 },
  places: ints(1, 0, 0, 0),
});

/** Two sentences of up to three tokens, two heads of two numbers, distances up to one. */
const HEADS = () => ({
  ...{ queries: floats(24), keys: floats(24), values: floats(24), distances: floats(6) },
  ...{ lengths: ints(3, 1), steps: 3, width: 4, heads: 2, reach: 1 },
});

/** A call of every function that it takes. */
const CALLS: Calls = {
  ...same(UNARY, () => [floats(4), floats(4)]),
  ...same(ARITHMETIC, () => [floats(4), floats(4), floats(4), LAYOUT]),
  ...same(COMPARISONS, () => [floats(4), floats(4), bytes(4), LAYOUT]),
  ...same(['vectorExp', 'vectorTanh', 'vectorSigmoid'], () => [floats(4), floats(4)]),
  Step: () => [floats(4), floats(4), 0.5],
  ClipByValue: () => [floats(4), floats(4), 0, 1],
  select: () => [bytes(4), floats(4), floats(4), floats(4)],
  boolToFloat: () => [bytes(4), floats(4)],
  float16Sentences: () => [
    {
      ...{ sentences: Uint32Array.of(1, 0), starts: Uint32Array.of(0, 1, 3), steps: 2 },
      ...{ dimension: 2, vectors: floats(8), elements: bytes(12) },
    },
  ],
  float16Squares: () => [bytes(8), ints(0, 4, 4, 8), bytes(16)],
  crc32: () => [bytes(80)],
  hasCarrylessProducts: () => [],
  allFinite: () => [floats(4)],
  squaredNorm: () => [floats(4)],
  sum: () => [{ ...REDUCTION(), scale: 1 }],
  extreme: () => [{ ...REDUCTION(), sign: -1 }],
  softmax: () => [floats(4), floats(4), 2],
  softmaxLoss: () => [
    { x: floats(4), labels: ints(1, 0), width: 2, losses: floats(2), logSums: floats(2) },
  ],
  softmaxLossGradient: () => {
    const rows = { x: floats(4), labels: ints(1, 0), width: 2, logSums: floats(2) };
    return [{ ...rows, dy: floats(2), dx: floats(4) }];
  },
  l2Normalise: () => [{ x: floats(4), result: floats(4), width: 2, least: 1 }],
  l2NormaliseGradient: () => [{ x: floats(4), dy: floats(4), dx: floats(4), width: 2, least: 1 }],
  layerNorm: () => [
    {
      ...{ x: floats(6), gain: floats(2), bias: floats(2), least: 1, result: floats(6) },
      ...{ means: floats(3), scales: floats(3) },
    },
  ],
  layerNormGradient: () => [
    {
      ...{ x: floats(6), gain: floats(2), means: floats(3), scales: floats(3), dy: floats(6) },
      ...{ dx: floats(6), dGain: floats(2), dBias: floats(2) },
    },
  ],
  attention: () => [{ ...HEADS(), result: floats(24), logSums: floats(12) }],
  attentionGradient: () => [
    {
      ...{ ...HEADS(), logSums: floats(12), dy: floats(24) },
      ...{ dQueries: floats(24), dKeys: floats(24), dValues: floats(24), dDistances: floats(6) },
    },
  ],
  nearestPoints: () => [
    {
      ...{ queries: floats(6), points: floats(32), width: 2 },
      ...{ squaredDistances: floats(3), places: ints(0, 0, 0) },
    },
  ],
  stridedCopy: () => [{ from: floats(5), fromStart: 1, to: floats(6), toStart: 2, layout: LAYOUT }],
  gather: () => [
    { x: floats(24), indices: ints(2, 0), result: floats(16), outer: 2, count: 3, inner: 4 },
  ],
  segmentSum: () => [
    { x: floats(6), segments: ints(1, 0, 1), result: floats(4), count: 2, inner: 2 },
  ],
  embeddingRows: () => {
    const tables = { fixed: floats(2), further: floats(2), trained: floats(2) };
    return [{ ...tables, rows: ints(0, 1, -1, -2), result: floats(8), width: 2 }];
  },
  characterMaximum: () => [{ ...WORDS(), tables: floats(12), result: floats(4) }],
  characterMaximumGradient: () => [{ ...WORDS(), dy: floats(4), result: floats(12) }],
  matMul: () => [
    {
      ...{ a: floats(6), b: floats(12), bias: floats(4), result: floats(8) },
      ...{ batch: 1, m: 2, k: 3, n: 4, transposeA: false, transposeB: true },
      ...{ aBatched: true, bBatched: false, activation: 'relu' },
    },
  ],
  momentUpdate: () => [
    {
      ...{ parameter: floats(2), first: floats(2), second: floats(2), gradient: floats(2) },
      ...{ newParameter: floats(2), newFirst: floats(2), newSecond: floats(2) },
      update: {
        ...{ learningRate: 1, beta1: 0.5, beta2: 0.5, epsilon: 1, gradientScale: 1 },
        ...{ gradientWeight: 1, firstWeight: 1, secondWeight: 1 },
      },
    },
  ],
  lstmStateSize: () => [ints(3, 1), 2, 2],
  lstmPackedSize: () => [4, 2, false],
  lstmForward: () => [FORWARD()],
  lstmBackward: () => [{ ...GATES(), dy: floats(24) }],
  lstmInputGradient: () => [{ ...SPENT(), dx: floats(24) }],
  lstmKernelGradient: () => [{ ...SPENT(), direction: 1, gradient: floats(32), x: floats(24) }],
  lstmRecurrentGradient: () => [{ ...SPENT(), direction: 1, gradient: floats(16) }],
  lstmBiasGradient: () => [{ ...SPENT(), direction: 0, gradient: floats(8) }],
  crfLoss: () => [{ ...CRF(), truth: ints(0, 1, 0, 1, 0, 0), losses: floats(2) }],
  crfGradient: () => {
    const { emissions, transitions, start, end } = CRF();
    const gradients = { emissions, transitions, start, end };
    return [{ ...CRF(), truth: ints(0, 1, 0, 1, 0, 0), dy: floats(2), gradients }];
  },
  crfDecode: () => [{ ...CRF(), paths: ints(0, 0, 0, 0, 0, 0) }],
  crfPosteriors: () => [{ ...CRF(), posteriors: floats(12) }],
  gaussianNoise: () => [{ ...NOISE(), x: floats(3), stddev: floats(1) }],
  gaussianNoiseGradient: () => [{ ...NOISE(), dy: floats(3), result: floats(1) }],
  dropout: () => [{ x: floats(3), result: floats(3), threshold: 9, scale: 2, position: POSITION }],
  boxMuller: () => [words(6), floats(4)],
  secureNoise: () => [{ key: words(8), x: floats(5), stddev: floats(1), result: floats(5) }],
  noiseWords: () => [{ position: POSITION, words: words(5) }],
  philoxWords: () => [{ position: POSITION, words: words(5) }],
  chachaWords: () => [words(8), 0, words(5)],
  isa: () => [],
  useIsa: () => [nativeFunction('isa')()],
  hasBfloat16: () => [],
  threadCount: () => [],
  setThreadCount: () => [nativeFunction('threadCount')()],
  limitThreads: () => [64],
  giveWay: () => [0],
  peakMultiplyAdds: () => [1],
  dependentAdditions: () => [8],
  streamTriad: () => [floats(4), floats(4), floats(4)],
};

function same<N extends Name, C>(names: readonly N[], call: () => C): Record<N, () => C> {
  return Object.fromEntries(names.map((name) => [name, call])) as Record<N, () => C>;
}

/** A place in the arguments of a call: an index, then the fields that lead to it. */
type Place = readonly (number | string)[];

/** Every argument and field that is not itself a record or a list. */
function places(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [at];
  return Object.entries(value).flatMap(([key, inner]) =>
    places(inner, [...at, Array.isArray(value) ? Number(key) : key]),
  );
}

function valueAt(call: unknown, place: Place): unknown {
  return place.reduce((value, key) => (value as Record<string, unknown>)[key], call);
}

/** A call like another one, but for one value. */
function changed(value: unknown, [key, ...rest]: Place, to: unknown): unknown {
  if (key === undefined) return to;
  const inner = changed(valueAt(value, [key]), rest, to);
  return Array.isArray(value)
    ? value.with(key as number, inner)
    : { ...(value as object), [key]: inner };
}

/** A place as an error writes it, `directions[1].kernel`, where it is a field. */
function written([argument, ...fields]: Place): string {
  const text = fields.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  return fields.length === 0 ? `argument ${argument}` : text.replace(/^\./, '');
}

function run(name: Name, call: unknown): void {
  (nativeFunction(name) as (...values: unknown[]) => unknown)(...(call as unknown[]));
}

const names = (Object.keys(CALLS) as Name[]).map((name) => [name] as const);
const values = names.flatMap(([name]) =>
  places(CALLS[name]()).map((place) => [name, written(place), place] as const),
);
const OPTIONAL = /^(lstm\w+ directions\[\d\]\.(mask|packed)|lstmForward state|matMul bias)$/;
/** Arrays of any length. */
const FREE =
  /^((allFinite|crc32|squaredNorm|lstmStateSize) argument 0|chachaWords argument 2|(noise|philox)Words words|gaussianNoiseGradient dy)$/;

test('every function of the addon is declared, and no other', () => {
  const path = new URL('../../../../build/Release/tacet.node', import.meta.url);
  const addon: object = createRequire(import.meta.url)(fileURLToPath(path));
  expect(Object.keys(addon).sort()).toEqual(Object.keys(CALLS).sort());
});

test.each(names)('%s takes what it declares', (name) => {
  run(name, CALLS[name]());
});

describe('a value of another type is named, with what was expected and found', () => {
  test.each(values)('%s %s', (name, place, path) => {
    const field = place.startsWith('argument') ? '\\w+' : place.replace(/[[\].]/g, '\\$&');
    const refused = (found: string) =>
      expect.objectContaining({
        code: 'tensor-invalid',
        message: expect.stringMatching(
          new RegExp(`^${name}: ${field} must be an? \\w+, found ${found}$`),
        ),
      });
    expect(() => run(name, changed(CALLS[name](), path, {}))).toThrow(refused('an object'));
    if (OPTIONAL.test(`${name} ${place}`)) return;
    expect(() => run(name, changed(CALLS[name](), path, undefined))).toThrow(refused('undefined'));
  });
});

describe('an array of another length is refused', () => {
  const arrays = values.filter(
    ([name, place, path]) =>
      ArrayBuffer.isView(valueAt(CALLS[name](), path)) && !FREE.test(`${name} ${place}`),
  );
  test.each(arrays)('%s %s', (name, _, path) => {
    const shorter = (valueAt(CALLS[name](), path) as Float32Array).slice(0, -1);
    expect(() => run(name, changed(CALLS[name](), path, shorter))).toThrow(
      new RegExp(`^${name}: [\\w.[\\]]+ must be .+, found `),
    );
  });
});

test('a misspelt field, an array of another type and a word that is not known do not compile', () => {
  const [call] = CALLS.segmentSum();
  const { segments, ...rest } = call;
  // @ts-expect-error: a field of another name.
  expect(() => nativeFunction('segmentSum')({ ...rest, segment: segments })).toThrow(TacetError);
  // @ts-expect-error: floats for whole numbers.
  expect(() => nativeFunction('segmentSum')({ ...rest, segments: floats(3) })).toThrow(TacetError);
  const [product] = CALLS.matMul();
  // @ts-expect-error: an activation that there is not.
  expect(() => nativeFunction('matMul')({ ...product, activation: 'step' })).toThrow(
    "matMul: activation must be linear, relu or sigmoid, found 'step'",
  );
});

test('rows without elements are refused where there are elements', () => {
  expect(() => nativeFunction('softmax')(floats(4), floats(4), 0)).toThrow(
    'softmax: width must be a divisor of the 4 elements, found 0',
  );
  const [noise] = CALLS.gaussianNoise();
  expect(() => nativeFunction('gaussianNoise')({ ...noise, stddev: floats(0) })).toThrow(
    'gaussianNoise: stddev must be of at least one element, found none',
  );
});

test('more arguments than any function takes are refused', () => {
  expect(() => run('isa', [1, 2, 3, 4, 5])).toThrow('isa: there are too many arguments');
});
