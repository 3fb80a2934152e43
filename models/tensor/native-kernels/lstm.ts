import { type NativeValue, nativeFunction } from '../addon.js';
import {
  LSTM_SEQUENCE,
  type LstmAttributes,
  type LstmInputs,
  lstmInputsOf,
  runListKernel,
} from '../lstm-sequence.js';
import type { NativeBackend } from '../native-backend.js';
import * as tf from '../tf.js';

const BACKWARD = 'LstmSequenceBackward';
const INPUT_GRADIENT = 'LstmSequenceInputGradient';
const WEIGHT_GRADIENT = 'LstmSequenceWeightGradient';

/** A weight of one direction, whose gradient is asked for. */
interface WeightAttributes extends LstmAttributes {
  readonly direction: number;
  readonly weight: 'kernel' | 'recurrent' | 'bias';
}

/**
 * The LSTM over whole sequences and its gradient. What the forward pass saves is an opaque tensor
 * of shape [0] over a larger buffer: tfjs makes zeros of the shape of every output that has no
 * gradient, and this one never has.
 */
export function lstmKernels(): tf.KernelConfig[] {
  const kernels = {
    [LSTM_SEQUENCE]: forward,
    [BACKWARD]: backward,
    [INPUT_GRADIENT]: inputGradient,
    [WEIGHT_GRADIENT]: weightGradient,
  };
  return Object.entries(kernels).map(([kernelName, run]) => ({
    kernelName,
    backendName: 'native',
    kernelFunc: run as unknown as tf.KernelFunc,
  }));
}

tf.registerGradient({
  kernelName: LSTM_SEQUENCE,
  saveAllInputs: true,
  outputsToSave: [false, true],
  gradFunc: gradient as unknown as tf.GradFunc,
});

type LstmKernel = (call: {
  inputs: tf.TensorInfo[];
  backend: NativeBackend;
  attrs: LstmAttributes;
}) => tf.TensorInfo | tf.TensorInfo[];

const forward: LstmKernel = ({ inputs, backend, attrs }) => {
  const lstm = lstmInputsOf(inputs, attrs);
  const [batch, steps] = lstm.x.shape as [number, number, number];
  const units = unitsOf(lstm);
  const directions = lstm.directions.length;
  const y = backend.output([batch, steps, directions * units]);
  const run = (state: Float32Array | null, ...packing: NativeValue[]) => {
    const x = backend.values(lstm.x);
    const values = shared(lstm, state, backend, attrs);
    nativeFunction('lstmForward')(x, y.values, ...values, ...packing);
  };
  if (!attrs.differentiable) {
    const bfloat16 = backend.precision === 'bfloat16';
    run(null, bfloat16, ...packedWeights(lstm, backend, bfloat16));
    return y.info;
  }
  const size = nativeFunction('lstmStateSize')(attrs.lengths, units, directions) as number;
  const state = backend.output([size]);
  run(state.values, false);
  return [y.info, { ...state.info, shape: [0] }];
};

/** Memory for the weights of each direction as the products read them. */
function packedWeights(
  lstm: LstmInputs<tf.TensorInfo>,
  backend: NativeBackend,
  bfloat16: boolean,
): Float32Array[] {
  const inputs = lstm.x.shape[2] as number;
  const size = nativeFunction('lstmPackedSize')(inputs, unitsOf(lstm), bfloat16) as number;
  return lstm.directions.map(({ kernel, recurrent, bias }) =>
    backend.packedOf([kernel, recurrent, bias], size),
  );
}

/** (dy, state, ...inputs of the forward pass): turns the state into gradients of the gates' sums. */
const backward: LstmKernel = ({ inputs: [dy, state, ...inputs], backend, attrs }) => {
  const values = backend.values(state as tf.TensorInfo);
  const lstm = lstmInputsOf(inputs, attrs);
  nativeFunction('lstmBackward')(
    backend.values(dy as tf.TensorInfo),
    null,
    ...shared(lstm, values, backend, attrs),
  );
  return backend.alias(state as tf.TensorInfo, [0]);
};

/** (state after the backward pass, ...inputs of the forward pass) */
const inputGradient: LstmKernel = ({ inputs: [state, ...inputs], backend, attrs }) => {
  const values = backend.values(state as tf.TensorInfo);
  const lstm = lstmInputsOf(inputs, attrs);
  const dx = backend.output(lstm.x.shape);
  nativeFunction('lstmInputGradient')(null, dx.values, ...shared(lstm, values, backend, attrs));
  return dx.info;
};

const GRADIENTS = {
  kernel: 'lstmKernelGradient',
  recurrent: 'lstmRecurrentGradient',
  bias: 'lstmBiasGradient',
} as const;

/** (state after the backward pass, ...inputs of the forward pass) */
const weightGradient: LstmKernel = ({ inputs: [state, ...inputs], backend, attrs }) => {
  const { direction, weight } = attrs as WeightAttributes;
  const values = backend.values(state as tf.TensorInfo);
  const lstm = lstmInputsOf(inputs, attrs);
  const shape = lstm.directions[direction]?.[weight].shape ?? [];
  const gradient = backend.output(shape);
  nativeFunction(GRADIENTS[weight])(
    weight === 'kernel' ? backend.values(lstm.x) : null,
    gradient.values,
    ...shared(lstm, values, backend, attrs),
    direction,
  );
  return gradient.info;
};

/**
 * One recurrent pass, then a product for each gradient that tfjs asks for: it asks for none of an
 * input that nothing trained leads to.
 */
function gradient(
  [dy]: [tf.Tensor],
  saved: tf.Tensor[],
  attributes: LstmAttributes,
): Record<string, () => tf.Tensor> {
  const state = saved[saved.length - 1] as tf.Tensor;
  const inputs = saved.slice(0, -1);
  const spent = one(runListKernel(BACKWARD, [dy, state, ...inputs], attributes));
  const gradients = [() => one(runListKernel(INPUT_GRADIENT, [spent, ...inputs], attributes))];
  for (let direction = 0; direction < attributes.reverse.length; direction++) {
    for (const weight of ['kernel', 'recurrent', 'bias'] as const) {
      const attributesOfWeight = { ...attributes, direction, weight };
      gradients.push(() =>
        one(runListKernel(WEIGHT_GRADIENT, [spent, ...inputs], attributesOfWeight)),
      );
    }
  }
  return Object.fromEntries(gradients.entries());
}

function one(outputs: tf.Tensor[]): tf.Tensor {
  return outputs[0] as tf.Tensor;
}

function unitsOf(lstm: LstmInputs<tf.TensorInfo>): number {
  return lstm.directions[0]?.recurrent.shape[0] as number;
}

/** What the native functions take after their own two arrays (native/lstm.cc). */
function shared(
  lstm: LstmInputs<tf.TensorInfo>,
  state: Float32Array | null,
  backend: NativeBackend,
  { lengths, reverse }: LstmAttributes,
): NativeValue[] {
  const [batch, steps, inputs] = lstm.x.shape as [number, number, number];
  const directions = lstm.directions.flatMap(({ kernel, recurrent, bias, mask }, i) => [
    reverse[i] === true,
    backend.values(kernel),
    backend.values(recurrent),
    backend.values(bias),
    mask ? backend.values(mask) : null,
  ]);
  const sizes = [batch, steps, inputs, unitsOf(lstm), lstm.directions.length];
  return [state, lengths, ...sizes, ...directions];
}
