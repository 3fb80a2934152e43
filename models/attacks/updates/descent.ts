import type { LabelledText, TextNetwork } from '../../networks/text-network.js';
import { textGradient } from './text-gradient.js';

/** Where a text takes the weights, [N]: a step goes against its gradient. */
export function descentOf(network: TextNetwork, text: LabelledText): Float32Array {
  return textGradient(network, text).map((each) => -each);
}
