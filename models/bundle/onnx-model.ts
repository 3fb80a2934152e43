/**
 * Models in the Open Neural Network Exchange format (IR version 8, operator set 17).
 *
 * Source: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 */
import protobuf from 'protobufjs';

/** The part of onnx.proto that is written here. */
const SCHEMA = `
syntax = "proto2";
message Model {
  optional int64 ir_version = 1; optional string producer_name = 2; optional string doc_string = 6;
  optional Graph graph = 7; repeated OperatorSet opset_import = 8;
}
message OperatorSet { optional string domain = 1; optional int64 version = 2; }
message Graph {
  repeated Node node = 1; optional string name = 2; repeated Tensor initializer = 5;
  repeated Value input = 11; repeated Value output = 12;
}
message Node {
  repeated string input = 1; repeated string output = 2; optional string name = 3;
  optional string op_type = 4; repeated Attribute attribute = 5;
}
message Attribute {
  optional string name = 1; optional int64 i = 3; optional bytes s = 4; repeated int64 ints = 8;
  optional int32 type = 20;
}
message Tensor {
  repeated int64 dims = 1; optional int32 data_type = 2; optional string name = 8;
  optional bytes raw_data = 9;
}
message Value { optional string name = 1; optional Type type = 2; }
message Type { optional TensorType tensor_type = 1; }
message TensorType { optional int32 elem_type = 1; optional Shape shape = 2; }
message Shape { repeated Dimension dim = 1; }
message Dimension { optional int64 dim_value = 1; optional string dim_param = 2; }
`;

const IR_VERSION = 8;
const OPERATOR_SET = 17;
/** TensorProto.DataType. */
const DATA_TYPES = { float: 1, int32: 6, int64: 7 } as const;
/** AttributeProto.AttributeType. */
const ATTRIBUTE_TYPES = { i: 2, s: 3, ints: 7 } as const;

export interface OnnxValue {
  readonly name: string;
  readonly type: keyof typeof DATA_TYPES;
  /** A number, or the name of a size that a caller chooses. */
  readonly shape: readonly (number | string)[];
}

export interface OnnxNode {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: Readonly<Record<string, number | string | readonly number[]>>;
}

export interface OnnxTensor {
  readonly name: string;
  readonly shape: readonly number[];
  /** Whole numbers are stored as int64. */
  readonly data: Float32Array | readonly number[];
}

/** A node with one result. */
export function node(
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes: NonNullable<OnnxNode['attributes']> = {},
): OnnxNode {
  return { operator, inputs, outputs: [output], attributes };
}

export interface OnnxGraph {
  readonly name: string;
  /** For people. */
  readonly documentation: string;
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly nodes: readonly OnnxNode[];
  readonly initializers: readonly OnnxTensor[];
}

/** The bytes of a `.onnx` file. */
export function writeOnnx({ documentation, ...graph }: OnnxGraph): Uint8Array {
  const type = protobuf.parse(SCHEMA).root.lookupType('Model');
  const model = type.fromObject({
    irVersion: IR_VERSION,
    producerName: 'tacet',
    docString: documentation,
    graph: {
      name: graph.name,
      node: graph.nodes.map(nodeMessage),
      initializer: graph.initializers.map(tensorMessage),
      input: graph.inputs.map(valueMessage),
      output: graph.outputs.map(valueMessage),
    },
    opsetImport: [{ domain: '', version: OPERATOR_SET }],
  });
  return type.encode(model).finish();
}

function nodeMessage({ operator, inputs, outputs, attributes = {} }: OnnxNode, index: number) {
  const attribute = Object.entries(attributes).map(([name, value]) => {
    const kind = typeof value === 'number' ? 'i' : typeof value === 'string' ? 's' : 'ints';
    const content = typeof value === 'string' ? Buffer.from(value) : value;
    return { name, [kind]: content, type: ATTRIBUTE_TYPES[kind] };
  });
  const name = `${operator}_${index}`;
  return { input: inputs, output: outputs, name, opType: operator, attribute };
}

/** Numbers lie little-endian, as on every machine that the native kernels are built for. */
function tensorMessage({ name, shape, data }: OnnxTensor) {
  const type = data instanceof Float32Array ? 'float' : 'int64';
  const values = data instanceof Float32Array ? data : BigInt64Array.from(data, BigInt);
  const rawData = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return { dims: shape, dataType: DATA_TYPES[type], name, rawData };
}

function valueMessage({ name, type, shape }: OnnxValue) {
  const dim = shape.map((size) =>
    typeof size === 'number' ? { dimValue: size } : { dimParam: size },
  );
  return { name, type: { tensorType: { elemType: DATA_TYPES[type], shape: { dim } } } };
}
