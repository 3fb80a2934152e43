import path from 'node:path';
import { withNoise } from '../../models/networks/release.js';
import { Random } from '../../models/tensor/random.js';
import { examplesOfEpoch } from '../../models/training/data/turns.js';
import { RunDirectory } from '../../models/training/run/run-directory.js';
import { networksOf, saveNetworks } from '../../models/training/run/trained-networks.js';
import { inMemory, trainOnVectors } from '../../models/training/supervised.js';
import { deidentifierScores } from '../runs/deidentifier-scores.js';
import type { ReleasedScores } from '../runs/measurements.js';
import { requireRepresentation, type Subject, type Work } from '../runs/subject.js';
import { releaseOnce } from './released-sentences.js';

/** The released vectors, for as long as the de-identifier learns. */
export const RELEASED_FILE = 'released.float16';

/**
 * The score that counts: with the representation frozen, a new de-identifier learns from released vectors
 * alone, as at a pool. Friedrich et al. 2019 (section 7.3; how they score, section 6) measure the de-identifier of the
 * training itself. It stops by the documents that the run itself stopped by, which the provider knows apart and a pool
 * does not. Of copies that take turns it has as many as an epoch of the run had, each once. Everything that it needs to go on after an interruption lies in `directory`.
 */
export async function releasedScores(
  subject: Subject,
  directory: string,
  work: Work,
): Promise<ReleasedScores> {
  const { notes, run, scheme, heldOut } = subject;
  const representation = requireRepresentation(subject);
  const { vocabulary, validation } = notes;
  const train = examplesOfEpoch(notes, 1);
  const file = path.join(directory, RELEASED_FILE);
  const examples = [...train, ...validation];
  const released = await releaseOnce(file, examples, representation, vocabulary, work);
  const split = {
    train: released.slice(0, train.length),
    validation: released.slice(train.length),
  };
  const { config } = run;
  const { dimension } = representation.config;
  const record = { kind: 'released', sentences: released.length, dimension, seed: config.seed };
  const learning = await RunDirectory.beginOrResume(directory, record);
  const { deidentifier, stage } = await trainOnVectors(
    inMemory(split, config.batchSentences),
    dimension,
    scheme.labels.length,
    config,
    { ...work, random: new Random(config.seed).fork('released'), run: learning },
  );
  try {
    await saveNetworks(directory, networksOf({ deidentifier }));
    const tagger = { deidentifier, vocabulary, scheme };
    const noisy = { ...tagger, representation: withNoise(representation) };
    return {
      split: 'by document',
      sentences: released.length,
      epochs: stage.epochs,
      bestEpoch: stage.bestEpoch,
      noiseOff: await deidentifierScores({ ...tagger, representation }, heldOut, work),
      noiseOn: await deidentifierScores(noisy, heldOut, work),
    };
  } finally {
    deidentifier.dispose();
  }
}
