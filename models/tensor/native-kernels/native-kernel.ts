import { TacetError } from '../../../proto/errors.js';
import type { NativeBackend } from '../native-backend.js';
import { shapeText } from '../shape-check.js';
import * as tf from '../tf.js';

export type KernelInputs = Readonly<Record<string, tf.TensorInfo>>;
export type KernelAttributes = Readonly<Record<string, unknown>>;

/** Computes an op on the native backend, or returns undefined to leave a case to tfjs's own kernel. */
export type NativeRun = (
  backend: NativeBackend,
  inputs: KernelInputs,
  attributes: KernelAttributes,
) => tf.TensorInfo | tf.TensorInfo[] | undefined;

/**
 * The kernel of `kernelName` for the native backend, in front of tfjs's own where there is one. Its
 * errors name it and the shapes of its inputs.
 */
export function nativeKernel(kernelName: string, run: NativeRun): tf.KernelConfig {
  const stock = tf.getKernel(kernelName, 'cpu');
  return {
    kernelName,
    backendName: 'native',
    kernelFunc: (call) => {
      const inputs = call.inputs as KernelInputs;
      const attributes = (call.attrs ?? {}) as KernelAttributes;
      const done = named(kernelName, inputs, () =>
        run(call.backend as NativeBackend, inputs, attributes),
      );
      if (done) return done;
      if (stock) return stock.kernelFunc(call);
      throw new Error(`${kernelName} has no kernel for these inputs`);
    },
  };
}

function named<R>(kernelName: string, inputs: KernelInputs, run: () => R): R {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof TacetError)) throw error;
    const shapes = Object.entries(inputs).flatMap(([name, info]) =>
      info ? [`${name} ${shapeText(info.shape)}`] : [],
    );
    const message = `${kernelName}: ${error.message}; got ${shapes.join(', ')}`;
    throw new TacetError(error.code, message, { cause: error });
  }
}

/** An input that the op cannot do without. */
export function input(inputs: KernelInputs, name: string): tf.TensorInfo {
  return inputs[name] as tf.TensorInfo;
}

/** Whether all are float32, the type that the native kernels compute in. */
export function areFloats(...infos: readonly (tf.TensorInfo | undefined)[]): boolean {
  return infos.every((info) => info?.dtype === 'float32');
}

export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}
