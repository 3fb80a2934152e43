/**
 * Models in the Open Neural Network Exchange format, by the field numbers of onnx.proto (IR version 8,
 * operator set 17).
 *
 * Source: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 */
import { ProtobufWriter } from './protobuf-writer.js';

const IR_VERSION = 8;
const OPERATOR_SET = 17;
const FLOAT = 1;
const INT32 = 6;
const INT64 = 7;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_STRING = 3;
const ATTRIBUTE_INTS = 7;

export interface OnnxValue {
  readonly name: string;
  readonly type: 'float' | 'int32';
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
export function writeOnnx(graph: OnnxGraph): Uint8Array {
  return new ProtobufWriter()
    .integer(1, IR_VERSION)
    .text(2, 'tacet')
    .text(6, graph.documentation)
    .message(7, graphMessage(graph))
    .message(8, new ProtobufWriter().text(1, '').integer(2, OPERATOR_SET))
    .finish();
}

function graphMessage({ name, inputs, outputs, nodes, initializers }: OnnxGraph): ProtobufWriter {
  const message = new ProtobufWriter();
  for (const [index, node] of nodes.entries()) message.message(1, nodeMessage(node, index));
  message.text(2, name);
  for (const tensor of initializers) message.message(5, tensorMessage(tensor));
  for (const value of inputs) message.message(11, valueMessage(value));
  for (const value of outputs) message.message(12, valueMessage(value));
  return message;
}

function nodeMessage(node: OnnxNode, index: number): ProtobufWriter {
  const message = new ProtobufWriter();
  for (const input of node.inputs) message.text(1, input);
  for (const output of node.outputs) message.text(2, output);
  message.text(3, `${node.operator}_${index}`).text(4, node.operator);
  for (const [name, value] of Object.entries(node.attributes ?? {}))
    message.message(5, attributeMessage(name, value));
  return message;
}

function attributeMessage(
  name: string,
  value: number | string | readonly number[],
): ProtobufWriter {
  const message = new ProtobufWriter().text(1, name);
  if (typeof value === 'number') return message.integer(3, value).integer(20, ATTRIBUTE_INT);
  if (typeof value === 'string') return message.text(4, value).integer(20, ATTRIBUTE_STRING);
  for (const each of value) message.integer(8, each);
  return message.integer(20, ATTRIBUTE_INTS);
}

function tensorMessage({ name, shape, data }: OnnxTensor): ProtobufWriter {
  const message = new ProtobufWriter();
  for (const size of shape) message.integer(1, size);
  message.integer(2, data instanceof Float32Array ? FLOAT : INT64).text(8, name);
  const bytes = new Uint8Array(data.length * (data instanceof Float32Array ? 4 : 8));
  const view = new DataView(bytes.buffer);
  data.forEach((value, i) => {
    if (data instanceof Float32Array) view.setFloat32(4 * i, value, true);
    else view.setBigInt64(8 * i, BigInt(value), true);
  });
  return message.bytes(9, bytes);
}

function valueMessage({ name, type, shape }: OnnxValue): ProtobufWriter {
  const sizes = new ProtobufWriter();
  for (const size of shape) {
    const dimension = new ProtobufWriter();
    sizes.message(
      1,
      typeof size === 'number' ? dimension.integer(1, size) : dimension.text(2, size),
    );
  }
  const tensor = new ProtobufWriter()
    .integer(1, type === 'float' ? FLOAT : INT32)
    .message(2, sizes);
  return new ProtobufWriter().text(1, name).message(2, new ProtobufWriter().message(1, tensor));
}
