import { certifiedBound } from '../attacks/certified-bound.js';
import { twinDistances } from '../attacks/distances.js';
import { pairTrials } from '../attacks/pair-trials.js';
import type { Manifest } from '../bundle/manifest.js';
import { statedScore } from '../bundle/stated-scores.js';
import { findCandidates } from '../embeddings/candidates.js';
import { mapTypes } from '../evaluation/map-types.js';
import type { Deidentifier } from '../networks/deidentifier.js';
import type { Representation } from '../networks/representation.js';
import { Random } from '../tensor/random.js';
import type { LabelScheme } from '../text/label-scheme.js';
import type { TrainingConfig } from '../training/config.js';
import { type PreparedNotes, phiWords } from '../training/recipes.js';
import type { StageContext } from '../training/stage.js';
import { deidentifierScores } from './deidentifier-scores.js';

type Scores = Manifest['scores'];
type Work = Pick<StageContext, 'signal' | 'progress'>;

interface Trained {
  readonly representation: Representation;
  readonly deidentifier: Deidentifier;
}

interface RunNotes {
  readonly notes: PreparedNotes;
  readonly scheme: LabelScheme;
  readonly config: TrainingConfig;
}

const LIMIT = 'limit of every attack on pairs, validation notes';
/** Draws of the input noise a pair. */
const DRAWS = 16;

/**
 * What a manifest says of how well a representation does on the notes that ended its training: how
 * much PHI its own de-identifier finds, noise off, and the certified bound on pairs of sentences.
 */
export async function validationScores(
  { representation, deidentifier }: Trained,
  { notes, scheme, config }: RunNotes,
  work: Work,
): Promise<Scores> {
  const { vocabulary, validationDocuments } = notes;
  const held = validationDocuments.map((document) => mapTypes(document, scheme));
  const tagger = { representation, deidentifier, vocabulary, scheme };
  const { binaryToken } = await deidentifierScores(tagger, held, work);
  return {
    ...statedScore('binary token F1, validation notes', binaryToken.f1),
    ...statedScore('binary token recall, validation notes', binaryToken.recall),
    ...(await limitOn(notes, { representation, scheme, config }, work)),
  };
}

/** The scores that hold whatever the level of the output noise. */
export function withoutLimit(scores: Scores): Scores {
  return Object.fromEntries(Object.entries(scores).filter(([name]) => !name.startsWith(LIMIT)));
}

/** Empty where no validation sentence can make a pair. */
async function limitOn(
  { vocabulary, train, validation }: PreparedNotes,
  {
    representation,
    scheme,
    config,
  }: Pick<RunNotes, 'scheme' | 'config'> & Omit<Trained, 'deidentifier'>,
  work: Work,
): Promise<Scores> {
  const words = phiWords(train, validation);
  const candidates = await findCandidates(vocabulary, words, config.neighbours, work);
  const { labels } = scheme;
  const notes = { train, validation, test: validation };
  const target = { representation, vocabulary, candidates, labels, ...notes };
  const random = new Random(config.seed).fork('validation scores');
  const trials = pairTrials(target, validation, 1, random.fork('pairs'));
  if (trials.length === 0) return {};
  const twins = trials.map(({ example, twin }) => ({ ids: example.ids, twin }));
  const distances = await twinDistances(target, twins, DRAWS, random.fork('distances'), work);
  return statedScore(LIMIT, certifiedBound({ trials, distances, comparisons: 1 }).bound);
}
