import type { Random } from '../tensor/random.js';
import type { Batch } from './batch.js';
import type { PartlyReadExample } from './examples.js';
import type { Supply } from './supply.js';

/**
 * The same batches to train on, in which some of the sentences whose words are known are seen by their vectors alone, in
 * the mean `share` of them and others each time: what is learned from words has to be learned from vectors too, which is
 * all that others give (Neverova et al. 2016, ModDrop). What validates is seen whole.
 */
export function withHiddenWords(
  supply: Supply<PartlyReadExample>,
  share: number,
): Supply<PartlyReadExample> {
  if (share === 0) return supply;
  return {
    tokensPerEpoch: supply.tokensPerEpoch,
    async *batches(random, epoch) {
      const draws = random.fork('hidden words');
      for await (const batch of supply.batches(random, epoch)) yield hidden(batch, share, draws);
    },
    validation: () => supply.validation(),
  };
}

function hidden(
  batch: Batch<PartlyReadExample>,
  share: number,
  draws: Random,
): Batch<PartlyReadExample> {
  const examples = batch.examples.map((example) => {
    if (!example.ids || draws.uniform() >= share) return example;
    const { ids, ...vectorsAlone } = example;
    return vectorsAlone;
  });
  return { ...batch, examples };
}
