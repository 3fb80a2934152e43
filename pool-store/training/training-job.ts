import type { ErrorCode } from '../../proto/errors.js';
import { ERRORS } from '../../proto/errors.js';
import { JOB_STATES } from '../../proto/job-state.js';
import { DIGEST, NAME, NATURAL, TIME, VERSION } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import {
  closedObject,
  mapOf,
  nullable,
  objectOrNull,
  oneOf,
  type TypeOf,
} from '../../proto/typed-schema.js';

/** Of weights, their best, and what the optimiser knows of each. */
export const MAX_CHECKPOINT_BYTES = 2 ** 30;

/** Of the one claim of a job that holds now: who knows it may change the job. */
export const LEASE_ID = Type.String({
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
});

const SCHEME = Type.String({ pattern: '^[a-z0-9-]{1,64}$' });

export const NEW_JOB = closedObject({
  snapshot: DIGEST,
  /** Of the pipeline that it is to make, as manifests have them. */
  name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' }),
  version: VERSION,
  /** A label scheme that comes with Tacet; that of the model where not given. */
  scheme: Type.Optional(SCHEME),
  /** Keys of a training configuration. */
  config: mapOf(Type.Unknown(), { title: 'TrainingConfiguration' }),
});

/** What is asked of whoever trains. */
export type NewJob = TypeOf<typeof NEW_JOB>;

export const JOB_RESULT = closedObject(
  {
    epochs: NATURAL,
    bestEpoch: NATURAL,
    /** SHA-256 of the trained weights. */
    weights: DIGEST,
    /** On sentences of the snapshot that ended the training. */
    scores: mapOf(Type.Number(), {
      maxProperties: 64,
      propertyNames: { pattern: '^[ -~]{1,120}$' },
    }),
    /** What was published; null where the worker had no registry. */
    published: objectOrNull(closedObject({ digest: DIGEST, name: NAME, version: VERSION })),
  },
  { title: 'TrainingJobResult' },
);

/** What a training came to. */
export type JobResult = TypeOf<typeof JOB_RESULT>;

export const FAILURE_CODE = oneOf(Object.keys(ERRORS) as ErrorCode[]);

const CHECKPOINT = closedObject({ digest: DIGEST, epoch: NATURAL, bytes: NATURAL });

/** The state of a training after an epoch. */
export type Checkpoint = TypeOf<typeof CHECKPOINT>;

export const TRAINING_JOB = closedObject(
  {
    ...NEW_JOB.properties,
    id: LEASE_ID,
    /** Digest of the representation that encoded the snapshot. */
    model: DIGEST,
    scheme: nullable(SCHEME),
    /** The name of the token that asked for it. */
    asker: NAME,
    created: TIME,
    state: oneOf(JOB_STATES),
    /** The name of the token that claimed it last. */
    worker: nullable(NAME),
    begun: nullable(TIME),
    ended: nullable(TIME),
    /** Until when the worker has it, by the catalog's clock; then another may claim it. */
    leaseEnds: nullable(TIME),
    /** The newest two, newest first; none once it has ended. */
    checkpoints: Type.Array(CHECKPOINT),
    /** Why it failed. */
    failure: nullable(Type.String({ pattern: '^[a-z0-9-]{1,64}$' })),
    result: objectOrNull(JOB_RESULT),
  },
  { title: 'TrainingJob' },
);

/** A training that somebody asked for, and what became of it. */
export type TrainingJob = TypeOf<typeof TRAINING_JOB>;

export const CLAIMED_JOB = closedObject(
  {
    job: TRAINING_JOB,
    lease: closedObject({ id: LEASE_ID, milliseconds: NATURAL }),
  },
  { title: 'ClaimedTrainingJob' },
);

/** A job and the lease of who is to train it. */
export type ClaimedJob = TypeOf<typeof CLAIMED_JOB>;
