import type { NamedArray, NamedArrays } from '../networks/named-arrays.js';
import type { LayerGraph } from './onnx-lstm.js';
import { node, type OnnxNode, type OnnxTensor } from './onnx-model.js';

/** TensorProto.DataType of int64. */
const INT64 = 7;
const FAR_BELOW = -1e9;

/** A graph that grows: initializers, nodes, and what names stand for. */
class Growing {
  readonly initializers: OnnxTensor[] = [];
  readonly nodes: OnnxNode[] = [];

  constructor(readonly weights: NamedArrays) {}

  /** Adds a node; returns the name of its result. */
  add(
    operator: string,
    inputs: readonly string[],
    output: string,
    attributes: OnnxNode['attributes'] = {},
  ): string {
    this.nodes.push(node(operator, inputs, output, attributes));
    return output;
  }

  /** A weight by its own name, as an initializer. */
  weight(name: string): string {
    const initializer = onnxName(name);
    this.initializers.push({ name: initializer, ...(this.weights[name] as NamedArray) });
    return initializer;
  }

  constant(name: string, shape: readonly number[], data: OnnxTensor['data']): string {
    this.initializers.push({ name, shape, data });
    return name;
  }

  dense(name: string, x: string): string {
    const product = this.add(
      'MatMul',
      [x, this.weight(`${name}/kernel`)],
      `${onnxName(name)}_product`,
    );
    return this.add('Add', [product, this.weight(`${name}/bias`)], onnxName(name));
  }

  norm(name: string, x: string): string {
    const [gain, bias] = [this.weight(`${name}/gain`), this.weight(`${name}/bias`)];
    return this.add('LayerNormalization', [x, gain, bias], onnxName(name), { axis: -1 });
  }
}

/**
 * The encoder and decoder of `sequenceToSequence` from `input` [B, T, I] to a result [B, T, W], at the true
 * `lengths` [B] of the graph's input; rows beyond mean nothing.
 */
export function sequenceToSequenceGraph(weights: NamedArrays, input: string): LayerGraph {
  const graph = new Growing(weights);
  addPlaces(graph, input);
  const layers: string[] = [];
  while (weights[`encoder/layer-${layers.length}/self/distances`])
    layers.push(`layer-${layers.length}`);

  let encoded = graph.dense('encoder/input', input);
  for (const layer of layers) {
    encoded = addAttention(graph, `encoder/${layer}/self`, encoded);
    encoded = addFeedForward(graph, `encoder/${layer}/feed-forward`, encoded);
  }
  encoded = graph.norm('encoder/norm', encoded);

  let decoded = graph.dense('decoder/input', input);
  for (const layer of layers) {
    decoded = addAttention(graph, `decoder/${layer}/self`, decoded);
    decoded = addAttention(graph, `decoder/${layer}/encoder`, decoded, encoded);
    decoded = addFeedForward(graph, `decoder/${layer}/feed-forward`, decoded);
  }
  const { initializers, nodes } = graph;
  return { initializers, nodes, output: graph.norm('decoder/norm', decoded) };
}

/** `distance` [T, T], how far right of the query the key is; `absent` [B, 1, 1, T], far below 0 at padding. */
function addPlaces(graph: Growing, input: string): void {
  graph.constant('zero', [], [0]);
  graph.constant('one', [], [1]);
  graph.constant('axis_0', [1], [0]);
  graph.constant('axis_1', [1], [1]);
  graph.constant('axes_1_2_3', [3], [1, 2, 3]);
  graph.constant('nothing', [1], Float32Array.of(0));
  graph.constant('far_below', [1], Float32Array.of(FAR_BELOW));
  graph.add('Shape', [input], 'sizes');
  graph.add('Gather', ['sizes', 'one'], 'steps', { axis: 0 });
  graph.add('Range', ['zero', 'steps', 'one'], 'places'); // [T]
  graph.add('Unsqueeze', ['places', 'axis_0'], 'keys_at'); // [1, T]
  graph.add('Unsqueeze', ['places', 'axis_1'], 'queries_at'); // [T, 1]
  graph.add('Sub', ['keys_at', 'queries_at'], 'distance');
  graph.add('Cast', ['lengths'], 'true_lengths', { to: INT64 });
  graph.add('Unsqueeze', ['true_lengths', 'axes_1_2_3'], 'ends'); // [B, 1, 1, 1]
  graph.add('Less', ['places', 'ends'], 'there'); // [B, 1, 1, T]
  graph.add('Where', ['there', 'nothing', 'far_below'], 'absent');
}

function addAttention(graph: Growing, name: string, x: string, memory?: string): string {
  const prefix = onnxName(name);
  const { shape } = graph.weights[`${name}/distances`] as NamedArray;
  const [heads = 1, places = 1] = shape;
  const [W = 0] = (graph.weights[`${name}/queries/bias`] as NamedArray).shape;
  const reach = (places - 1) / 2;
  graph.constant(`${prefix}_heads`, [4], [0, 0, heads, W / heads]);
  graph.constant(`${prefix}_whole`, [3], [0, 0, W]);
  graph.constant(`${prefix}_least`, [], [-reach]);
  graph.constant(`${prefix}_most`, [], [reach]);
  graph.constant(`${prefix}_scale`, [1], Float32Array.of(1 / Math.sqrt(W / heads)));
  const normal = graph.norm(`${name}/norm`, x);
  const part = (which: string, from: string, perm: readonly number[]) => {
    const of = graph.dense(`${name}/${which}`, from);
    const split = graph.add('Reshape', [of, `${prefix}_heads`], `${of}_split`); // [B, T, h, D]
    return graph.add('Transpose', [split], `${of}_by_head`, { perm });
  };
  const queries = part('queries', normal, [0, 2, 1, 3]);
  const keys = part('keys', memory ?? normal, [0, 2, 3, 1]); // [B, h, D, T]
  const values = part('values', memory ?? normal, [0, 2, 1, 3]);
  graph.add('Max', ['distance', `${prefix}_least`], `${prefix}_held_up`);
  graph.add('Min', [`${prefix}_held_up`, `${prefix}_most`], `${prefix}_near`);
  graph.add('Add', [`${prefix}_near`, `${prefix}_most`], `${prefix}_columns`); // [T, T]
  const added = graph.add(
    'Gather',
    [graph.weight(`${name}/distances`), `${prefix}_columns`],
    `${prefix}_added`,
    { axis: 1 },
  ); // [h, T, T]
  graph.add('MatMul', [queries, keys], `${prefix}_products`); // [B, h, T, T]
  graph.add('Mul', [`${prefix}_products`, `${prefix}_scale`], `${prefix}_scaled`);
  graph.add('Add', [`${prefix}_scaled`, added], `${prefix}_placed`);
  graph.add('Add', [`${prefix}_placed`, 'absent'], `${prefix}_scores`);
  graph.add('Softmax', [`${prefix}_scores`], `${prefix}_shares`, { axis: -1 });
  graph.add('MatMul', [`${prefix}_shares`, values], `${prefix}_sums`);
  graph.add('Transpose', [`${prefix}_sums`], `${prefix}_by_token`, { perm: [0, 2, 1, 3] });
  const found = graph.add('Reshape', [`${prefix}_by_token`, `${prefix}_whole`], `${prefix}_found`);
  return graph.add('Add', [x, graph.dense(`${name}/output`, found)], `${prefix}_result`);
}

function addFeedForward(graph: Growing, name: string, x: string): string {
  const inner = graph.dense(`${name}/inner`, graph.norm(`${name}/norm`, x));
  const outer = graph.dense(`${name}/outer`, graph.add('Relu', [inner], `${inner}_relu`));
  return graph.add('Add', [x, outer], `${onnxName(name)}_result`);
}

/** Names of weights with what identifiers are made of. */
function onnxName(name: string): string {
  return name.replace(/[/-]/g, '_');
}
