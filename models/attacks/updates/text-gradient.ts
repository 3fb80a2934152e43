import { complete } from '../../federation/local-training.js';
import type { LabelledText, TextNetwork } from '../../networks/text-network.js';
import * as tf from '../../tensor/tf.js';

/**
 * The gradient of the mean loss of a text, without dropout, at the weights that the network has: [N]. Vectors
 * [tokens, E] stand in the place of the words' own.
 */
export function textGradient(
  network: TextNetwork,
  text: LabelledText,
  vectors?: tf.Tensor2D,
): Float32Array {
  const variables = network.parameters.variables();
  const flat = new Float32Array(variables.reduce((sum, { size }) => sum + size, 0));
  const read = network.read(text);
  if (read.tokens === 0) return flat;
  tf.tidy(() => {
    const loss = () => read.loss(undefined, vectors).div<tf.Scalar>(read.tokens);
    const gradients = complete(variables, tf.variableGrads(loss, variables).grads);
    let from = 0;
    for (const { name, size } of variables) {
      flat.set((gradients[name] as tf.Tensor).dataSync<'float32'>(), from);
      from += size;
    }
  });
  return flat;
}
