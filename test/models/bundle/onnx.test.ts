import { describe, expect, test } from '@jest/globals';
import protobuf from 'protobufjs';
import { representationOnnx } from '../../../models/bundle/onnx.js';
import { Representation, representationWeights } from '../../../models/networks/representation.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { plainMean, plainStddev } from '../networks/plain-representation.js';
import { randomWeights } from './manifest-fields.js';
import { runOnnx } from './onnx-session.js';

const [E, H, D] = [5, 4, 3];
const LENGTHS = [4, 1, 2];
const STEPS = 4;
const PLAIN = {
  embeddingDimension: E,
  units: H,
  dimension: D,
  initialInputStddev: 0.1,
  initialOutputStddev: 0.1,
};

type Inputs = Record<
  'embeddings' | 'input_normals' | 'output_normals',
  { readonly data: readonly number[] }
>;

describe.each([
  ['plain', PLAIN],
  ['residual', { ...PLAIN, residual: true }],
])('representation.onnx, %s', (_kind, config) => {
  const weights = randomWeights(representationWeights(config), 3);

  test('in ONNX Runtime gives the vectors of our forward pass, and of plain loops, to 1e-4', async () => {
    await useBackend();
    const random = new Random(8);
    const tensor = (width: number) => ({
      type: 'float32' as const,
      dims: [LENGTHS.length, STEPS, width],
      data: Array.from(random.normals(LENGTHS.length * STEPS * width)),
    });
    const inputs = {
      embeddings: tensor(E),
      lengths: { type: 'int32' as const, dims: [LENGTHS.length], data: LENGTHS },
      input_normals: tensor(E),
      output_normals: tensor(D),
    };
    const found = runOnnx(representationOnnx(weights), inputs);
    expect(found.dims).toEqual([LENGTHS.length, STEPS, D]);
    const ours = ownRelease(inputs);
    LENGTHS.forEach((length, row) => {
      const expected = plainRelease(row, length, inputs);
      expected.flat().forEach((value, i) => {
        const at = row * STEPS * D + i;
        expect(Math.abs((found.data[at] as number) - value)).toBeLessThan(1e-4);
        expect(Math.abs((found.data[at] as number) - (ours[at] as number))).toBeLessThan(1e-4);
      });
    });
  });

  /** As `release` computes it, with this noise in the place of its own. */
  function ownRelease(given: Inputs): Float32Array {
    const representation = Representation.fromWeights(config, weights);
    const tensor = (name: keyof Inputs, width: number) =>
      tf.tensor3d([...given[name].data], [LENGTHS.length, STEPS, width]);
    return tf.tidy(() => {
      const inputNoise = tensor('input_normals', E).mul<tf.Tensor3D>(representation.inputStddev());
      const outputNoise = tensor('output_normals', D).mul(representation.outputStddev());
      const x = tensor('embeddings', E).add<tf.Tensor3D>(inputNoise);
      const means = representation.mean(x, Int32Array.from(LENGTHS));
      return means.add(outputNoise).dataSync<'float32'>();
    });
  }

  function plainRelease(row: number, length: number, given: Inputs): number[][] {
    const at = (name: keyof typeof given, width: number, t: number, k: number) =>
      given[name].data[(row * STEPS + t) * width + k] as number;
    const [input, output] = [
      plainStddev(weights, 'noise/input'),
      plainStddev(weights, 'noise/output'),
    ];
    const noisy = Array.from({ length }, (_, t) =>
      input.map((sigma, k) => at('embeddings', E, t, k) + sigma * at('input_normals', E, t, k)),
    );
    return plainMean(weights, noisy).map((vector, t) =>
      vector.map((value, k) => value + (output[k] as number) * at('output_normals', D, t, k)),
    );
  }

  test('names its inputs and outputs, with the noise among them, by the fields of onnx.proto', () => {
    const { root } = protobuf.parse(ONNX_PROTO);
    const model = root.lookupType('ModelProto').decode(representationOnnx(weights)).toJSON() as {
      graph: Record<
        'input' | 'output' | 'node' | 'initializer',
        { name: string; opType?: string }[]
      >;
      opsetImport: { version: string }[];
    };
    const names = (of: 'input' | 'output') => model.graph[of].map(({ name }) => name);
    expect(names('input')).toEqual(['embeddings', 'lengths', 'input_normals', 'output_normals']);
    expect(names('output')).toEqual(['representation']);
    expect(model.graph.node.map(({ opType }) => opType)).toContain('LSTM');
    expect(model.opsetImport[0]?.version).toBe('17');
  });
});

/** The fields that are written, as onnx.proto declares them. */
const ONNX_PROTO = `
syntax = "proto3";
message ModelProto { int64 ir_version = 1; string producer_name = 2; string doc_string = 6;
  GraphProto graph = 7; repeated OperatorSetIdProto opset_import = 8; }
message OperatorSetIdProto { string domain = 1; int64 version = 2; }
message GraphProto { repeated NodeProto node = 1; string name = 2; repeated TensorProto initializer = 5;
  repeated ValueInfoProto input = 11; repeated ValueInfoProto output = 12; }
message NodeProto { repeated string input = 1; repeated string output = 2; string name = 3;
  string op_type = 4; repeated AttributeProto attribute = 5; }
message AttributeProto { string name = 1; int64 i = 3; bytes s = 4; repeated int64 ints = 8; int32 type = 20; }
message TensorProto { repeated int64 dims = 1; int32 data_type = 2; string name = 8; bytes raw_data = 9; }
message ValueInfoProto { string name = 1; TypeProto type = 2; }
message TypeProto { TensorTypeProto tensor_type = 1; }
message TensorTypeProto { int32 elem_type = 1; TensorShapeProto shape = 2; }
message TensorShapeProto { repeated DimensionProto dim = 1; }
message DimensionProto { int64 dim_value = 1; string dim_param = 2; }
`;
