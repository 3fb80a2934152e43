import protobuf from 'protobufjs';

/** The part of onnx.proto that a network needs; field numbers are those of the ONNX standard. */
const SCHEMA = `
syntax = "proto2";
message Attribute {
  required string name = 1; optional int64 i = 3; optional bytes s = 4;
  repeated int64 ints = 8; required int32 type = 20;
}
message Node {
  repeated string input = 1; repeated string output = 2; required string op_type = 4;
  repeated Attribute attribute = 5;
}
message Tensor {
  repeated int64 dims = 1; required int32 data_type = 2; required string name = 8;
  required bytes raw_data = 9;
}
message Dimension { optional string dim_param = 2; }
message Shape { repeated Dimension dim = 1; }
message TensorType { required int32 elem_type = 1; required Shape shape = 2; }
message Type { required TensorType tensor_type = 1; }
message Value { required string name = 1; required Type type = 2; }
message Graph {
  repeated Node node = 1; required string name = 2; repeated Tensor initializer = 5;
  repeated Value input = 11; repeated Value output = 12;
}
message OperatorSet { required int64 version = 2; }
message Model { required int64 ir_version = 1; required Graph graph = 7; repeated OperatorSet opset_import = 8; }
`;

const IR_VERSION = 8;
const OPERATOR_SET = 17;
export const FLOAT = 1;
export const INT32 = 6;
const INT64 = 7;
const ATTRIBUTE_TYPES = { i: 2, s: 3, ints: 7 } as const;

export interface OnnxValue {
  readonly name: string;
  readonly type: typeof FLOAT | typeof INT32;
  /** A name for each axis. */
  readonly shape: readonly string[];
}

/** Collects a graph's nodes and constants; tensors are known by their names. */
export class OnnxModel {
  readonly #nodes: object[] = [];
  readonly #constants: object[] = [];

  /** Adds a node and returns its output's name. */
  node(
    operator: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, number | string | readonly number[]>> = {},
  ): string {
    const output = `${operator}-${this.#nodes.length}`;
    const attribute = Object.entries(attributes).map(([name, value]) => {
      const kind = typeof value === 'number' ? 'i' : typeof value === 'string' ? 's' : 'ints';
      return {
        name,
        type: ATTRIBUTE_TYPES[kind],
        [kind]: kind === 's' ? Buffer.from(`${value}`) : value,
      };
    });
    this.#nodes.push({ input: inputs, output: [output], opType: operator, attribute });
    return output;
  }

  floats(name: string, dims: readonly number[], values: Float32Array): string {
    return this.#constant(name, FLOAT, dims, values);
  }

  integers(name: string, values: readonly number[]): string {
    return this.#constant(name, INT64, [values.length], BigInt64Array.from(values, BigInt));
  }

  /** The model as a file's bytes. */
  encode(inputs: readonly OnnxValue[], output: OnnxValue): Uint8Array {
    const type = protobuf.parse(SCHEMA).root.lookupType('Model');
    const model = {
      irVersion: IR_VERSION,
      opsetImport: [{ version: OPERATOR_SET }],
      graph: {
        name: 'tagger',
        node: this.#nodes,
        initializer: this.#constants,
        input: inputs.map(valueInfo),
        output: [valueInfo(output)],
      },
    };
    return type.encode(type.fromObject(model)).finish();
  }

  #constant(
    name: string,
    dataType: number,
    dims: readonly number[],
    { buffer, byteOffset, byteLength }: Float32Array | BigInt64Array,
  ): string {
    const rawData = new Uint8Array(buffer, byteOffset, byteLength);
    this.#constants.push({ name, dataType, dims, rawData });
    return name;
  }
}

function valueInfo({ name, type, shape }: OnnxValue): object {
  const dim = shape.map((axis) => ({ dimParam: axis }));
  return { name, type: { tensorType: { elemType: type, shape: { dim } } } };
}
