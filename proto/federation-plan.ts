import { sha256Hex } from './digest.js';
import { TacetError } from './errors.js';
import { DIGEST, NAME, NATURAL } from './schemas.js';
import { Type } from './typebox.js';
import { closedObject, mapOf, nullable, oneOf, type TypeOf } from './typed-schema.js';
import { validator } from './validator.js';

/** How workers train together. */
export const FEDERATION_PROCEDURES = [
  'round-robin',
  'selective',
  'averaging',
  'private-averaging',
] as const;

/** Whether a round can end without who is late; else each worker waits for the one before it, or nobody for anybody. */
export function endsLateRounds(procedure: FederationPlan['procedure']): boolean {
  return procedure !== 'selective' && procedure !== 'round-robin';
}

/** What all who train together have agreed upon before. */
export const FEDERATION_PLAN = closedObject(
  {
    format: Type.Literal(1),
    procedure: oneOf(FEDERATION_PROCEDURES),
    network: oneOf(['festag', 'neuroner', 'deidentifier']),
    /** SHA-256 of the label scheme. */
    scheme: DIGEST,
    /** What the word vectors are known by. */
    embeddings: Type.String({ minLength: 1, maxLength: 200 }),
    /** Of the first weights; what workers draw at home has no seed that anybody knows. */
    seed: NATURAL,
    /** How many numbers the network's weights are. */
    weights: Type.Integer({ minimum: 1, maximum: 16_000_000 }),
    /** `weightsDigest` of those that all begin with; no worker joins by a plan that lacks it, as earlier ones do. */
    firstWeights: Type.Optional(DIGEST),
    /** Epochs of each worker at home. */
    epochs: Type.Integer({ minimum: 1, maximum: 100_000 }),
    /** In place of those that the network or the procedure comes with. */
    learningRate: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    loss: Type.Optional(oneOf(['sum', 'mean'])),
    /**
     * What a later round leaves of the average over rounds that workers have in the end; left out where that is what the last
     * round made.
     */
    averaging: Type.Optional(Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 })),
    /** What the first weights learned from; left out where chance alone drew them. */
    publicNotes: Type.Optional(
      closedObject({
        documents: Type.Integer({ minimum: 1, maximum: 100_000_000 }),
        epochs: Type.Integer({ minimum: 1, maximum: 100_000 }),
      }),
    ),
    /** Institutions, by the names of their tokens. */
    workers: Type.Array(NAME, { minItems: 1, maxItems: 1000, uniqueItems: true }),
    /** A round ends without those who have sent nothing by then; null waits for everybody. */
    roundSeconds: nullable(Type.Number({ exclusiveMinimum: 0 })),
    /** What private averaging promises for every text; null for the other procedures. */
    guarantee: nullable(
      closedObject({
        epsilon: Type.Number({ exclusiveMinimum: 0 }),
        delta: Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
      }),
    ),
  },
  { title: 'FederationPlan' },
);
export type FederationPlan = TypeOf<typeof FEDERATION_PLAN>;

const parse = validator(FEDERATION_PLAN, 'config-invalid', 'the plan of the federation');

/**
 * Throws `config-invalid`, also where private averaging promises nothing, or another procedure something, for a
 * loss of private averaging, which scales the gradient of a note's mean, and for an average of selective SGD, which has no
 * rounds.
 */
export function parseFederationPlan(value: unknown): FederationPlan {
  const plan = parse(value);
  const isPrivate = plan.procedure === 'private-averaging';
  if (isPrivate !== (plan.guarantee !== null))
    throw invalid(`${plan.procedure} ${isPrivate ? 'states no' : 'cannot keep a'} guarantee`);
  if (isPrivate && plan.loss !== undefined)
    throw invalid(`${plan.procedure} has a loss of its own; leave --loss out`);
  if (plan.procedure === 'selective' && plan.averaging !== undefined)
    throw invalid('selective has no rounds to average over; leave --averaging out');
  return plan;
}

/** SHA-256 in hex of its JSON, keys in order: what homes and updates know a federation by. */
export function planDigest(plan: FederationPlan): string {
  const inOrder = (_: string, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return sha256Hex(JSON.stringify(plan, inOrder));
}

function invalid(message: string): TacetError {
  return new TacetError('config-invalid', `the plan of the federation: ${message}`);
}

/** By worker, its last epoch or round that was taken. */
export const FEDERATION_TAKEN = mapOf(NATURAL);

/** Throws `server-failed`. */
export const parseFederationTaken = validator(
  FEDERATION_TAKEN,
  'server-failed',
  'what the coordinator has taken',
);

/** What a worker is to do now. */
export const FEDERATION_TASK = closedObject(
  {
    task: oneOf(['train', 'wait', 'over']),
    /** Its epoch or round to train; of `over`, the last one. */
    epoch: NATURAL,
  },
  { title: 'FederationTask' },
);
export type FederationTask = TypeOf<typeof FEDERATION_TASK>;

/** Throws `server-failed`: a coordinator that asks for half an epoch asks for more of them than were agreed upon. */
export const parseFederationTask = validator(
  FEDERATION_TASK,
  'server-failed',
  'the task of the coordinator',
);
