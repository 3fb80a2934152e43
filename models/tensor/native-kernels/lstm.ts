import { nativeFunction } from '../addon.js';
import {
  LSTM_SEQUENCE,
  type LstmAttributes,
  type LstmInputs,
  lstmInputsOf,
  runListKernel,
} from '../lstm-sequence.js';
import type { NativeBackend } from '../native-backend.js';
import type { Lstm, LstmInput } from '../native-records.js';
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
  const [batch, steps] = lstm.x.shape as [number, number];
  const units = unitsOf(lstm);
  const directions = lstm.directions.length;
  const y = backend.output([batch, steps, directions * units]);
  const call = { ...recordOf(lstm, backend, attrs), ...inputOf(lstm, backend), y: y.values };
  if (!attrs.differentiable) {
    const bfloat16 = backend.precision === 'bfloat16' && lstm.x.dtype !== 'int32';
    const packed = packedWeights(lstm, backend, bfloat16);
    const packing = call.directions.map((direction, i) => ({ ...direction, packed: packed[i] }));
    nativeFunction('lstmForward')({ ...call, directions: packing, bfloat16 });
    return y.info;
  }
  const size = nativeFunction('lstmStateSize')(attrs.lengths, units, directions);
  const state = backend.output([size]);
  nativeFunction('lstmForward')({ ...call, state: state.values, bfloat16: false });
  return [y.info, { ...state.info, shape: [0] }];
};

/** Memory for the weights of each direction as the products read them. */
function packedWeights(
  lstm: LstmInputs<tf.TensorInfo>,
  backend: NativeBackend,
  bfloat16: boolean,
): Float32Array[] {
  const inputs = inputsOf(lstm);
  const size = nativeFunction('lstmPackedSize')(inputs, unitsOf(lstm), bfloat16);
  return lstm.directions.map(({ kernel, recurrent, bias }) =>
    backend.packedOf([kernel, recurrent, bias], size),
  );
}

/** (dy, state, ...inputs of the forward pass): turns the state into gradients of the gates' sums. */
const backward: LstmKernel = ({ inputs: [dy, state, ...inputs], backend, attrs }) => {
  nativeFunction('lstmBackward')({
    ...recordOf(lstmInputsOf(inputs, attrs), backend, attrs),
    dy: backend.values(dy as tf.TensorInfo),
    state: backend.values(state as tf.TensorInfo),
  });
  return backend.alias(state as tf.TensorInfo, [0]);
};

/** (state after the backward pass, ...inputs of the forward pass) */
const inputGradient: LstmKernel = ({ inputs: [state, ...inputs], backend, attrs }) => {
  const lstm = lstmInputsOf(inputs, attrs);
  const dx = backend.output(lstm.x.shape);
  nativeFunction('lstmInputGradient')({
    ...recordOf(lstm, backend, attrs),
    dx: dx.values,
    state: backend.values(state as tf.TensorInfo),
  });
  return dx.info;
};

/** (state after the backward pass, ...inputs of the forward pass) */
const weightGradient: LstmKernel = ({ inputs: [state, ...inputs], backend, attrs }) => {
  const { direction, weight } = attrs as WeightAttributes;
  const lstm = lstmInputsOf(inputs, attrs);
  const shape = lstm.directions[direction]?.[weight].shape ?? [];
  const gradient = backend.output(shape);
  const call = {
    ...recordOf(lstm, backend, attrs),
    direction,
    gradient: gradient.values,
    state: backend.values(state as tf.TensorInfo),
  };
  if (weight === 'kernel') {
    nativeFunction('lstmKernelGradient')({ ...call, ...inputOf(lstm, backend) });
  } else {
    nativeFunction(weight === 'bias' ? 'lstmBiasGradient' : 'lstmRecurrentGradient')(call);
  }
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

/** I */
function inputsOf(lstm: LstmInputs<tf.TensorInfo>): number {
  return lstm.directions[0]?.kernel.shape[0] as number;
}

/** x, or the codes that stand for it. */
function inputOf({ x }: LstmInputs<tf.TensorInfo>, backend: NativeBackend): LstmInput {
  const values: Float32Array | Int32Array = backend.values(x);
  return x.dtype === 'int32' ? { codes: Int32Array.from(values) } : { x: values as Float32Array };
}

/** What the records of all native functions share. */
function recordOf(
  lstm: LstmInputs<tf.TensorInfo>,
  backend: NativeBackend,
  { lengths, reverse }: LstmAttributes,
): Lstm {
  const steps = lstm.x.shape[1] as number;
  const inputs = inputsOf(lstm);
  const directions = lstm.directions.map(({ kernel, recurrent, bias, mask }, i) => ({
    reverse: reverse[i] === true,
    kernel: backend.values(kernel),
    recurrent: backend.values(recurrent),
    bias: backend.values(bias),
    mask: mask && backend.values(mask),
  }));
  return { lengths, steps, inputs, units: unitsOf(lstm), directions };
}
