import type { Manifest } from '../../models/bundle/manifest.js';
import {
  LIMIT_OF_PAIRS,
  statedScore,
  VALIDATION_NOTES,
} from '../../models/bundle/stated-scores.js';
import { mapTypes } from '../../models/evaluation/map-types.js';
import type { Deidentifier } from '../../models/networks/deidentifier.js';
import type { Representation } from '../../models/networks/representation.js';
import { Random } from '../../models/tensor/random.js';
import { originsOf } from '../../models/text/corpus/kept-together.js';
import type { LabelScheme } from '../../models/text/label-scheme.js';
import type { TrainingConfig } from '../../models/training/configuration/config.js';
import type { PreparedNotes } from '../../models/training/recipes.js';
import type { StageContext } from '../../models/training/run/stage-context.js';
import { type DeidentifierScores, deidentifierScores } from '../runs/deidentifier-scores.js';
import { limitOf } from './limit.js';

type Scores = Manifest['scores'];
type Work = Pick<StageContext, 'signal' | 'progress'>;

interface Trained {
  /** Absent where the de-identifier reads the word vectors themselves. */
  readonly representation?: Representation | undefined;
  readonly deidentifier: Deidentifier;
}

interface RunNotes {
  readonly notes: PreparedNotes;
  readonly scheme: LabelScheme;
  readonly config: TrainingConfig;
}

const LIMIT = `${LIMIT_OF_PAIRS}, ${VALIDATION_NOTES}`;

/**
 * What a manifest says of how well a model does on the notes that ended its training, as they are:
 * how much PHI its de-identifier finds, noise off, and where there is a representation whose noise is
 * the same for every input, the certified bound on pairs of sentences.
 */
export async function validationScores(
  { representation, deidentifier }: Trained,
  { notes, scheme, config }: RunNotes,
  work: Work,
): Promise<Scores> {
  const { vocabulary, validationDocuments } = notes;
  const held = validationDocuments.map((document) => mapTypes(document, scheme));
  const tagger = { ...(representation && { representation }), deidentifier, vocabulary, scheme };
  const found = statedTagging(await deidentifierScores(tagger, held, work), VALIDATION_NOTES);
  if (!representation || representation.config.noise === 'dependent') return found;
  return { ...found, ...(await limitOn(notes, { representation, scheme, config }, work)) };
}

/** How much PHI is found in `where`, as a manifest states it. */
export function statedTagging(
  { binaryToken, entity }: Pick<DeidentifierScores, 'binaryToken' | 'entity'>,
  where: string,
): Scores {
  return {
    ...statedScore(`binary token F1, ${where}`, binaryToken.f1),
    ...statedScore(`binary token precision, ${where}`, binaryToken.precision),
    ...statedScore(`binary token recall, ${where}`, binaryToken.recall),
    ...statedScore(`entity F1, ${where}`, entity.f1),
  };
}

/** The scores that hold whatever the level of the output noise. */
export function withoutLimit(scores: Scores): Scores {
  return Object.fromEntries(Object.entries(scores).filter(([name]) => !name.startsWith(LIMIT)));
}

/** Empty where no validation sentence can make a pair. */
async function limitOn(
  { vocabulary, train, validation, validationDocuments }: PreparedNotes,
  {
    representation,
    scheme,
    config: { neighbours, digitMoves, seed },
  }: Pick<RunNotes, 'scheme' | 'config'> & { readonly representation: Representation },
  work: Work,
): Promise<Scores> {
  const encoding = { representation, vocabulary, scheme, neighbours, digitMoves };
  const random = new Random(seed).fork('validation scores');
  const origins = originsOf(validationDocuments);
  const limit = await limitOf(validation, train, encoding, random, work, origins);
  return limit ? statedScore(LIMIT, limit.bound) : {};
}
