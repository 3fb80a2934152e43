import type { FederationPlan } from '../../proto/federation-plan.js';
import type { Vocabulary } from '../embeddings/vocabulary.js';
import { DEIDENTIFIER_DEFAULTS, type DeidentifierConfig } from '../networks/deidentifier-config.js';
import { DeidentifierNetwork } from '../networks/deidentifier-network.js';
import { FESTAG_DEFAULTS, FestagTagger } from '../networks/festag-tagger.js';
import { NEURONER_DEFAULTS, NeuronerTagger } from '../networks/neuroner-tagger.js';
import type { TextNetwork } from '../networks/text-network.js';
import type { Random } from '../tensor/random.js';
import type { LabelScheme } from '../text/label-scheme.js';
import {
  ADAM_TRAINING,
  FESTAG_TRAINING,
  type LocalConfig,
  NEURONER_TRAINING,
  type TrainingSettings,
  withSettings,
} from './local-training.js';

/** The taggers that several holders of texts can train. */
export const TEXT_NETWORKS = ['festag', 'neuroner', 'deidentifier'] as const;
export type TextNetworkName = (typeof TEXT_NETWORKS)[number];

/** Rate and loss of where each comes from; a step is a text here, in NeuroNER a sentence. */
export const OWN_TRAINING: Readonly<Record<TextNetworkName, LocalConfig>> = {
  festag: FESTAG_TRAINING,
  neuroner: NEURONER_TRAINING,
  deidentifier: ADAM_TRAINING,
};

/**
 * How each is trained by a procedure: averaging, private or not, goes by Adam. A rate that is given for private
 * averaging is that of its noisy steps, and of nothing here.
 */
export function localConfigOf(
  procedure: FederationPlan['procedure'],
  network: TextNetworkName,
  settings: TrainingSettings = {},
): LocalConfig {
  if (procedure === 'private-averaging') return ADAM_TRAINING;
  return withSettings(procedure === 'averaging' ? ADAM_TRAINING : OWN_TRAINING[network], settings);
}

/** Untrained, at the size of where it comes from; those of one seed are alike. */
export function textNetwork(
  name: TextNetworkName,
  { labels }: LabelScheme,
  vocabulary: Vocabulary,
  random: Random,
): TextNetwork {
  const sizes = { dimension: vocabulary.dimension, labels: labels.length };
  if (name === 'festag')
    return new FestagTagger({ ...FESTAG_DEFAULTS, ...sizes }, vocabulary, random);
  if (name === 'neuroner')
    return new NeuronerTagger({ ...NEURONER_DEFAULTS, ...sizes }, vocabulary, random);
  return new DeidentifierNetwork(deidentifierConfig({ labels }, vocabulary), vocabulary, random);
}

/** Of the de-identifier that is trained together. */
export function deidentifierConfig(
  { labels }: Pick<LabelScheme, 'labels'>,
  { dimension }: Pick<Vocabulary, 'dimension'>,
): DeidentifierConfig {
  return { ...DEIDENTIFIER_DEFAULTS, inputDimension: dimension, labels: labels.length };
}
