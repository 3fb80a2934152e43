import { namedWeights } from '../../federation/flat-weights.js';
import type { WeightUpdate } from '../../federation/weight-update.js';
import { SPELLING_CODES } from '../../networks/spellings.js';
import type { TextNetwork } from '../../networks/text-network.js';

/**
 * Codes of characters that the texts of an update held: those whose rows of the matrices that read characters
 * changed, and no others, since the gradient of a row that nothing read is zero. Empty for a network
 * without such rows. A change of all weights is expected; noise changes every row.
 */
export function charactersRead(
  { parameters, wordInputs }: TextNetwork,
  { values }: WeightUpdate,
): Set<number> {
  const read = new Set<number>();
  const weights = namedWeights(parameters, values);
  for (const name of wordInputs.characters) {
    const data = (weights[name] as { data: Float32Array }).data;
    const columns = data.length / SPELLING_CODES;
    for (let code = 0; code < SPELLING_CODES; code++)
      if (data.subarray(code * columns, (code + 1) * columns).some((each) => each !== 0))
        read.add(code);
  }
  return read;
}
