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
  const sources = variables.map((variable) => backend.values(variable));
  const targets = variables.map((variable, i) =>
    backend.isExclusive(variable.dataId)
      ? { values: sources[i] as Float32Array, info: undefined }
      : backend.output(variable.shape),
  );
  nativeFunction('momentUpdate')(
    ...sources,
    backend.values(gradient),
    ...targets.map(({ values }) => values),
    update.learningRate,
    update.beta1,
    update.beta2,
    update.epsilon,
    update.gradientScale,
    update.gradientWeight,
    update.firstWeight,
    update.secondWeight,
  );
  variables.forEach((variable, i) => {
    const info = targets[i]?.info;
    if (!info) return;
    const tensor = tf.engine().makeTensorFromTensorInfo(info, backend);
    variable.assign(tensor);
    tensor.dispose();
  });
}

/** The sum of the squares of all elements of all tensors, in double precision. */
export function nativeSquaredNorm(backend: NativeBackend, tensors: readonly tf.Tensor[]): number {
  const squaredNorm = nativeFunction('squaredNorm');
  return tensors.reduce((sum, tensor) => sum + (squaredNorm(backend.values(tensor)) as number), 0);
}
