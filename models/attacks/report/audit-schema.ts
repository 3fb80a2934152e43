import { DIGEST, NATURAL, SHARE } from '../../../proto/schemas.js';
import { Type } from '../../../proto/typebox.js';
import { closedObject, objectOrNull, pairOf } from '../../../proto/typed-schema.js';
import { ESTIMATE } from '../../statistics/estimate.js';
import { ATTACK_REPORT, SLICE } from '../attack.js';
import { AUDIT_HEADING } from './audit-heading.js';

export const CERTIFIED_BOUND = closedObject({
  pairs: NATURAL,
  /** Those that belong together, as of one patient or template, count once. */
  documents: NATURAL,
  /** Draws of the input noise a pair. */
  draws: NATURAL,
  /** E[Φ(Δ/2)]; *certified at c* means that the upper end of the interval is at most c. */
  bound: ESTIMATE,
  median: SHARE,
  percentile95: SHARE,
  percentile99: SHARE,
  maximum: SHARE,
  /** Share of pairs whose own bound is over 0.6. */
  shareOver60: SHARE,
  slices: Type.Array(SLICE),
  /** The same for an attacker who has several releases of the sentence. */
  releases: Type.Array(closedObject({ releases: NATURAL, bound: SHARE, interval: pairOf(SHARE) })),
});

export const ENTITY_BOUND = closedObject({
  entities: NATURAL,
  documents: NATURAL,
  bound: ESTIMATE,
  median: SHARE,
  percentile95: SHARE,
  maximum: SHARE,
  /** Sentences of a document that hold the entity, or one of its words as PHI. */
  meanSentences: Type.Number(),
  /**
   * Where entities were replaced and each has one surrogate in its note: the share of them that stand in several
   * sentences. Where it is missing each mention has one of its own.
   */
  recurring: Type.Optional(SHARE),
  /** By what the entity is and where it first stands; audits before format 7 state none. */
  slices: Type.Optional(Type.Array(SLICE)),
});

export const RANDOM_SWAPS = closedObject({
  swaps: NATURAL,
  documents: NATURAL,
  /** Draws of the input noise a swap. */
  draws: NATURAL,
  /** Entities that no other one of the type and token count could stand in for. */
  unmatched: NATURAL,
  /** E[Φ(Δ/2)], as in the certified bound. */
  bound: ESTIMATE,
  median: SHARE,
  percentile95: SHARE,
  maximum: SHARE,
  /** Median of E[Δ], in deviations of the output noise. */
  medianDistance: Type.Number({ minimum: 0 }),
  /** E[Φ(Δ/2)] where all movable tokens of the same entities become candidates instead. */
  nearby: ESTIMATE,
  /** By what the entity is and where the mention stands; audits before format 7 state none. */
  slices: Type.Optional(Type.Array(SLICE)),
});

export const CONTAINING_NEIGHBOURS = closedObject({
  /** Movable PHI words of the test notes, each counted once, numbers left out. */
  words: NATURAL,
  /** Neighbours a word, the word itself left out. */
  neighbours: Type.Number({ minimum: 0 }),
  /** Neighbours a word that contain it, whatever their case. */
  containing: Type.Number({ minimum: 0 }),
});

export const WORST_CASE = closedObject({
  /** Greatest ‖(a − b)/σ_out‖₂ of the vectors that change. */
  distance: Type.Number(),
  epsilon: Type.Number(),
  /** The most that any test between two texts can be right: Φ(distance / 2). */
  accuracy: SHARE,
});

export const WORST_CASE_BOUND = closedObject({
  delta: SHARE,
  token: WORST_CASE,
  /** One word moves all vectors of its sentence. */
  sentence: closedObject({ ...WORST_CASE.properties, tokens: NATURAL }),
});

/** The JSON file of an audit. */
export const AUDIT_REPORT = closedObject({
  /**
   * Audits of format 3 state no `comparisons`, those before 5 no `swaps` and `neighbours`, those before
   * 6 no `heading`, those before 7 no slices of entities and swaps.
   */
  format: Type.Enum([
    'tacet-audit-3',
    'tacet-audit-4',
    'tacet-audit-5',
    'tacet-audit-6',
    'tacet-audit-7',
  ]),
  /** Added by the caller of `audit`, which does not know it. */
  heading: Type.Optional(AUDIT_HEADING),
  /** SHA-256 of the bundle. */
  model: DIGEST,
  /** A bundle, releases of it that are about to be shared, or something weaker for comparison. */
  attacked: Type.Enum([
    'bundle',
    'contribution',
    'replaced-contribution',
    'noise-off',
    'raw-embeddings',
  ]),
  seed: NATURAL,
  /** N, the number of candidates that a moved word is drawn from. */
  candidates: NATURAL,
  /** Documents that attackers learned from, stopped by, and were measured on. */
  documents: closedObject({ train: NATURAL, validation: NATURAL, test: NATURAL }),
  /** Attacks that the verdict looked at together, those that time was too short for among them. */
  comparisons: Type.Optional(Type.Integer({ minimum: 1 })),
  /** A sentence for people. */
  verdict: Type.String(),
  /** Strongest first. */
  attacks: Type.Array(ATTACK_REPORT),
  /** The same attacks on what they must succeed on (upper) and on what they cannot (lower). */
  baselines: Type.Array(ATTACK_REPORT),
  certified: CERTIFIED_BOUND,
  entities: ENTITY_BOUND,
  swaps: Type.Optional(RANDOM_SWAPS),
  neighbours: Type.Optional(CONTAINING_NEIGHBOURS),
  /** Null where nothing bounds the vectors, as with raw embeddings. */
  worstCase: objectOrNull(WORST_CASE_BOUND),
  /** Attacks that beat the certified limit, so that the attack or the limit is computed wrongly. */
  contradictions: Type.Array(Type.String()),
  /** What this audit would have done with more time. */
  leftOut: Type.Array(Type.String()),
  /** Attacks that are known and were not tried at all. */
  notTried: Type.Array(Type.String()),
});
