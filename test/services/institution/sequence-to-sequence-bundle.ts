import { join } from 'node:path';
import { createBundle } from '../../../models/bundle/bundle.js';
import { describeBundle } from '../../../models/bundle/describe.js';
import { readPrivateKey } from '../../../models/bundle/key-files.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { Deidentifier } from '../../../models/networks/deidentifier.js';
import { DEIDENTIFIER_DEFAULTS } from '../../../models/networks/deidentifier-config.js';
import type { Tagger } from '../../../models/networks/tagger.js';
import { Random } from '../../../models/tensor/random.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { embeddingsOf, type Publisher } from './publisher.js';

/** A small pipeline of encoder and decoder, untrained, that a publisher signed, and the tagger that it is made of. */
export async function sequenceToSequenceBundle(
  publisher: Publisher,
): Promise<{ readonly bundle: string; readonly tagger: Tagger }> {
  const bundle = join(publisher.root, 'sequence-to-sequence');
  const scheme = loadLabelScheme('hipaa-binary');
  const embeddings = await embeddingsOf(publisher);
  const deidentifier = Deidentifier.create(
    {
      ...{ ...DEIDENTIFIER_DEFAULTS, network: 'sequence-to-sequence', phiWeight: 2 },
      ...{ inputDimension: embeddings.dimension, labels: scheme.labels.length },
      ...{ units: 8, layers: 2, heads: 2, reach: 4, characters: 'cnn' },
    },
    new Random(3),
  );
  const contents = describeBundle(
    { deidentifier },
    {
      ...{ name: 'sequence-to-sequence', version: '1.0.0', scheme, embeddings },
      ...{ embeddingsName: 'tiny', scores: { binaryF1: 0 } },
      training: { objective: 'none', corpus: 'tiny', documents: 10, seed: 1 },
    },
  );
  await createBundle(bundle, contents, await readPrivateKey(publisher.privateKeyFile));
  const vocabulary = new Vocabulary(embeddings, { characters: true });
  return { bundle, tagger: { deidentifier, vocabulary, scheme } };
}
