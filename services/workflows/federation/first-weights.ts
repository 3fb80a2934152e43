import { openEmbeddings } from '../../../models/embeddings/open.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { LocalTraining, type TrainingSettings } from '../../../models/federation/local-training.js';
import {
  localConfigOf,
  type TextNetworkName,
  textNetwork,
} from '../../../models/federation/text-networks.js';
import { textsOf } from '../../../models/networks/text-network.js';
import { Random } from '../../../models/tensor/random.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import type { FederationPlan } from '../../../proto/federation-plan.js';
import { weightsDigest } from '../../../proto/federation-update.js';
import type { Context } from '../context.js';
import { readLabelled } from '../train/run-material.js';

export interface FirstWeightsOptions extends TrainingSettings {
  readonly procedure: FederationPlan['procedure'];
  readonly network: TextNetworkName;
  readonly seed: number;
  readonly embeddings: string;
  readonly scheme: string;
  /** Labelled notes that hold no secret: everybody goes on from what they teach. */
  readonly publicNotes?: string | undefined;
  readonly publicEpochs: number;
  /** Told before anything is learned, so that a plan that is refused costs no training; without `firstWeights`. */
  readonly check?: (stated: StatedOfWeights) => void;
}

/** What a plan says of its weights, labels, word vectors and public notes. */
export type StatedOfWeights = Pick<
  FederationPlan,
  'weights' | 'firstWeights' | 'scheme' | 'embeddings' | 'publicNotes'
>;

/** The weights that a federation begins with, [N], and what its plan says of them. */
export async function firstWeights(
  options: FirstWeightsOptions,
  { signal, progress }: Pick<Context, 'signal' | 'progress'>,
): Promise<{ readonly weights: Float32Array; readonly stated: StatedOfWeights }> {
  const { procedure, network: name, seed, publicNotes, publicEpochs, check } = options;
  const scheme = loadLabelScheme(options.scheme);
  const notes = publicNotes === undefined ? [] : await readLabelled(publicNotes, scheme, signal);
  const embeddings = await openEmbeddings(options.embeddings, { signal, progress });
  const random = new Random(seed);
  const network = textNetwork(name, scheme, new Vocabulary(embeddings), random);
  const texts = textsOf(notes, scheme).map((text) => network.read(text));
  const training = new LocalTraining(network, texts, localConfigOf(procedure, name, options));
  const stated = {
    ...{ weights: training.weights().length },
    ...{ scheme: scheme.digest, embeddings: embeddings.identity },
    ...(publicNotes !== undefined && {
      publicNotes: { documents: notes.length, epochs: publicEpochs },
    }),
  };
  check?.(stated);
  const total = publicNotes === undefined ? 0 : publicEpochs;
  for (let done = 0; done < total; done++) {
    progress({ step: 'public notes', done, total, unit: 'epochs' });
    await training.epoch(random.fork(`public/${done}`), signal);
  }
  const weights = training.weights();
  training.dispose();
  return { weights, stated: { ...stated, firstWeights: weightsDigest(weights) } };
}
