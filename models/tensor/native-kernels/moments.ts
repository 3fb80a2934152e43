import { nativeFunction } from '../addon.js';
import type { NativeBackend } from '../native-backend.js';
import type { MomentUpdate, ParameterAndMoments } from '../reference/moment-update.js';
import * as tf from '../tf.js';

/**
 * `momentUpdate` of the reference in one pass. A variable that nobody else sees is overwritten;
 * another, whose values a clone or an array may share, gets a buffer of its own.
 */
export function nativeMomentUpdate(
  backend: NativeBackend,
  variables: ParameterAndMoments,
  gradient: tf.Tensor,
  update: MomentUpdate,
): void {
  backend.forgetPacked();
  const [parameter, first, second] = variables.map((variable) => placesOf(backend, variable)) as [
    Places,
    Places,
    Places,
  ];
  nativeFunction('momentUpdate')({
    parameter: parameter.values,
    first: first.values,
    second: second.values,
    gradient: backend.values(gradient),
    newParameter: parameter.target,
    newFirst: first.target,
    newSecond: second.target,
    update,
  });
  for (const { variable, info } of [parameter, first, second]) {
    if (!info) continue;
    const tensor = tf.engine().makeTensorFromTensorInfo(info, backend);
    variable.assign(tensor);
    tensor.dispose();
  }
}

/** The array of a variable, and the one of its new values, with what describes it where it is another. */
function placesOf(backend: NativeBackend, variable: tf.Variable): Places {
  const values = backend.values(variable);
  if (backend.isExclusive(variable.dataId)) return { variable, values, target: values };
  const { info, values: target } = backend.output(variable.shape);
  return { variable, values, target, info };
}

interface Places {
  readonly variable: tf.Variable;
  readonly values: Float32Array;
  readonly target: Float32Array;
  readonly info?: tf.TensorInfo;
}

/** The sum of the squares of all elements of all tensors, in double precision. */
export function nativeSquaredNorm(backend: NativeBackend, tensors: readonly tf.Tensor[]): number {
  const squaredNorm = nativeFunction('squaredNorm');
  return tensors.reduce((sum, tensor) => sum + squaredNorm(backend.values(tensor)), 0);
}
