import path from 'node:path';
import { writeAtomically } from '../../platform/files/draft-file.js';
import { textIfThere } from '../../platform/files/optional-file.js';
import { TacetError } from '../../proto/errors.js';
import { DIGEST, NATURAL, SHARE } from '../../proto/schemas.js';
import { type TObject, Type } from '../../proto/typebox.js';
import { closedObject, constant, mapOf, type TypeOf } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import { DEIDENTIFIER_SCORES, MEASURED } from './deidentifier-scores.js';
import { MACHINE } from './machine.js';

/** What can be measured of a finished run, in the order that it is done: cheap things first. */
export const MEASUREMENTS = [
  'facts',
  'own',
  'pseudonyms',
  'bounds',
  'public-names',
  'released',
  'known-noise',
  'adversary',
] as const;
export type Measurement = (typeof MEASUREMENTS)[number];

const NUMBER = Type.Number({ minimum: 0 });
const SETS = closedObject({ train: NATURAL, validation: NATURAL });

/** How a measurement came about. */
const PROVENANCE = {
  seconds: NUMBER,
  machine: MACHINE,
  /** What a limit of time or documents left out. */
  shortened: Type.Array(Type.String()),
};

const PHASE = closedObject({
  stage: Type.String(),
  epochs: NATURAL,
  /** Epochs alone, without what stands between them. */
  seconds: NUMBER,
  tokensPerSecond: NUMBER,
});
export type Phase = TypeOf<typeof PHASE>;

const FACTS = {
  /** For people: the file of the word vectors. */
  embeddings: Type.Optional(Type.String()),
  documents: SETS,
  sentences: SETS,
  phases: Type.Array(PHASE),
  /** In the sentences that are trained on. */
  tokens: NATURAL,
  phiTokens: NATURAL,
  /** PHI tokens that `move` cannot move, by reason; null where the kind moves nothing. */
  immovable: Type.Union([mapOf(NATURAL), Type.Null()]),
};

/** Counts of the run's data and what its training took. */
export type Facts = TypeOf<TObject<typeof FACTS>>;

const RELEASED_SCORES = {
  /** Its validation part: whole documents, the run's own. */
  split: constant('by document'),
  sentences: NATURAL,
  epochs: NATURAL,
  bestEpoch: NATURAL,
  noiseOff: DEIDENTIFIER_SCORES,
  /** Held-out sentences are released too before they are tagged. */
  noiseOn: DEIDENTIFIER_SCORES,
};

/** A new de-identifier, trained on one release of every sentence and nothing else. */
export type ReleasedScores = TypeOf<TObject<typeof RELEASED_SCORES>>;

const ATTACK_RESULT = closedObject({
  trials: NATURAL,
  documents: NATURAL,
  success: MEASURED,
  chance: SHARE,
  /** No attack on the same trials succeeds more often than this, on average. */
  limit: Type.Union([MEASURED, Type.Null()]),
});
export type AttackResult = TypeOf<typeof ATTACK_RESULT>;

const CONTINUED_ADVERSARY = {
  epochs: NATURAL,
  bestEpoch: NATURAL,
  before: ATTACK_RESULT,
  unseen: ATTACK_RESULT,
  /** On documents that it learned from. */
  learned: ATTACK_RESULT,
  /** As it was after its last epoch; the others are of the epoch that its validation notes found best. */
  last: Type.Optional(closedObject({ unseen: ATTACK_RESULT, learned: ATTACK_RESULT })),
};

/** The adversary of training, before and after it learned on against the frozen representation. */
export type ContinuedAdversary = TypeOf<TObject<typeof CONTINUED_ADVERSARY>>;

const BOUND = {
  documents: NATURAL,
  bound: MEASURED,
  median: SHARE,
  percentile95: SHARE,
  maximum: SHARE,
};

/** A limit on every attack on pairs: a mean, and what a mean hides. */
export type Bound = TypeOf<TObject<typeof BOUND>>;

const SLICE = closedObject({
  by: Type.String(),
  value: Type.String(),
  trials: NATURAL,
  bound: MEASURED,
});

const BOUNDS = {
  /**
   * Only where the noise depends on the input: total variation ≤ √(1 − BC²) (Le Cam), which is looser
   * than the limit of other runs. There are no slices then, and nothing is known of entities.
   */
  inequality: Type.Optional(constant('bhattacharyya')),
  /** One moved token. */
  certified: closedObject({
    pairs: NATURAL,
    /** Draws of the input noise a pair. */
    draws: NATURAL,
    ...BOUND,
    percentile99: SHARE,
    /** Share of pairs whose own bound is over 0.6. */
    shareOver60: SHARE,
    /** By PHI type, and words and digits apart. */
    slices: Type.Array(SLICE),
  }),
  /** An entity that is another wherever it occurs in its document. */
  entities: Type.Optional(closedObject({ entities: NATURAL, ...BOUND })),
};
export type Bounds = TypeOf<TObject<typeof BOUNDS>>;

const TAILED_BOUND = closedObject({ ...BOUND, percentile99: SHARE });

const PUBLIC_NAMES = {
  /** PHI words without a vector, wherever they stand. */
  places: NATURAL,
  /** Draws of the input noise a place. */
  draws: NATURAL,
  /** By PHI type, how many words of public entities have no vector. */
  words: mapOf(NATURAL),
  /** Moved among made-up words, as for `bounds`. */
  madeUp: TAILED_BOUND,
  /** Moved among words of public entities of the same type. */
  public: TAILED_BOUND,
};

/** The limit for words that the word vectors lack, where f reads their characters. */
export type PublicNames = TypeOf<TObject<typeof PUBLIC_NAMES>>;

const KNOWN_NOISE = mapOf(ATTACK_RESULT);

/** The likelihood attacks, by name: `known-noise-word`, `-pair`, `-twins`. */
export type KnownNoise = TypeOf<typeof KNOWN_NOISE>;

const MEASUREMENTS_FILE = closedObject({
  format: constant('tacet-measurements-1'),
  /** SHA-256 over the held-out documents. */
  heldOut: DIGEST,
  facts: Type.Optional(closedObject({ ...FACTS, ...PROVENANCE })),
  own: Type.Optional(closedObject({ ...DEIDENTIFIER_SCORES.properties, ...PROVENANCE })),
  bounds: Type.Optional(
    closedObject(
      { ...BOUNDS, ...PROVENANCE },
      { anyOf: [{ required: ['entities'] }, { required: ['inequality'] }] },
    ),
  ),
  'public-names': Type.Optional(closedObject({ ...PUBLIC_NAMES, ...PROVENANCE })),
  released: Type.Optional(closedObject({ ...RELEASED_SCORES, ...PROVENANCE })),
  /** Of pseudonymised notes: the best attacks, `pseudonym-twins` and `pseudonym-word`. */
  pseudonyms: Type.Optional(closedObject({ attacks: KNOWN_NOISE, ...PROVENANCE })),
  'known-noise': Type.Optional(closedObject({ attacks: KNOWN_NOISE, ...PROVENANCE })),
  adversary: Type.Optional(closedObject({ ...CONTINUED_ADVERSARY, ...PROVENANCE })),
});

/** `measurements.json` of a run. */
export type Measurements = TypeOf<typeof MEASUREMENTS_FILE>;

const check = validator(MEASUREMENTS_FILE, 'config-invalid', 'measurements.json');

/** What has been measured of a run so far; null where nothing was. Throws `config-invalid` or `file-unreadable`. */
export async function readMeasurements(directory: string): Promise<Measurements | null> {
  const text = await textIfThere(fileIn(directory));
  if (text === undefined) return null;
  try {
    return check(JSON.parse(text));
  } catch (cause) {
    const why = cause instanceof TacetError ? cause.message : 'expected JSON';
    throw new TacetError('config-invalid', `${fileIn(directory)}: ${why}`, { cause });
  }
}

/** Replaces the file as a whole. */
export async function writeMeasurements(
  directory: string,
  measurements: Measurements,
): Promise<void> {
  const text = `${JSON.stringify(check(measurements), null, 2)}\n`;
  await writeAtomically(fileIn(directory), text);
}

function fileIn(directory: string): string {
  return path.join(directory, 'measurements.json');
}
