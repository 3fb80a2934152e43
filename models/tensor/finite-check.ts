import { TacetError } from '../../proto/errors.js';
import { nativeFunction } from './addon.js';
import { NativeBackend } from './native-backend.js';
import { shapeText } from './shape-check.js';
import * as tf from './tf.js';

const ON = ['1', 'true'];
const OFF = ['', '0', 'false'];

/**
 * What is checked for numbers: always the results of fused ops, the losses among them, and the norm of
 * the gradients, which cost a pass each; plain tfjs ops on the native backend where
 * TACET_CHECK_NUMERICS is 1, which finds the first op that spoils finite numbers. Throws `usage` where
 * that variable is neither on nor off.
 */
export function checksEveryOp(): boolean {
  const wanted = process.env.TACET_CHECK_NUMERICS ?? '';
  if (ON.includes(wanted)) return true;
  if (OFF.includes(wanted)) return false;
  throw new TacetError('usage', `TACET_CHECK_NUMERICS is '${wanted}'; expected 1 or 0`);
}

/**
 * `output` of an op, or `tensor-invalid` where it holds a NaN or an infinity: with the op, the shapes
 * of its inputs and which of them are not finite either. On the tensorflow backend, where looking
 * costs a transfer, nothing is checked.
 */
export function requireFinite<T extends tf.TensorInfo>(
  op: string,
  output: T,
  inputs: Readonly<Record<string, tf.TensorInfo>>,
): T {
  if (holdsNumbers(output)) return output;
  const shapes = Object.entries(inputs).map(([name, { shape }]) => `${name} ${shapeText(shape)}`);
  const spoilt = Object.keys(inputs).filter((name) => !holdsNumbers(inputs[name] as tf.TensorInfo));
  const cause = spoilt.length > 0 ? `as ${spoilt.join(', ')} does` : 'though its inputs do not';
  throw new TacetError(
    'tensor-invalid',
    `${op}: the result ${shapeText(output.shape)} holds NaN or infinity, ${cause}; ` +
      `got ${shapes.join(', ')}; expected finite numbers`,
  );
}

/** Whether a tensor holds neither NaN nor infinity. */
export function holdsNumbers(tensor: tf.TensorInfo): boolean {
  if (tensor.dtype !== 'float32') return true;
  const backend = tf.backend();
  if (backend instanceof NativeBackend) {
    return nativeFunction('allFinite')(backend.values(tensor));
  }
  if (tf.getBackend() !== 'cpu') return true;
  return (backend.readSync(tensor.dataId) as Float32Array).every(Number.isFinite);
}
