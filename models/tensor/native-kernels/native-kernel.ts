import type { NativeBackend } from '../native-backend.js';
import * as tf from '../tf.js';

export type KernelInputs = Readonly<Record<string, tf.TensorInfo>>;
export type KernelAttributes = Readonly<Record<string, unknown>>;

/** Computes an op on the native backend, or returns undefined to leave a case to tfjs's own kernel. */
export type NativeRun = (
  backend: NativeBackend,
  inputs: KernelInputs,
  attributes: KernelAttributes,
) => tf.TensorInfo | tf.TensorInfo[] | undefined;

/** The kernel of `kernelName` for the native backend, in front of tfjs's own where there is one. */
export function nativeKernel(kernelName: string, run: NativeRun): tf.KernelConfig {
  const stock = tf.getKernel(kernelName, 'cpu');
  return {
    kernelName,
    backendName: 'native',
    kernelFunc: (call) => {
      const done = run(
        call.backend as NativeBackend,
        call.inputs as KernelInputs,
        (call.attrs ?? {}) as KernelAttributes,
      );
      if (done) return done;
      if (stock) return stock.kernelFunc(call);
      throw new Error(`${kernelName} has no kernel for these inputs`);
    },
  };
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
