import type { KeyObject } from 'node:crypto';
import { type Envelope, keyIdOf, sign, verify } from './dsse.js';
import { ENTITY_TREATMENTS, MAX_COPIES } from './entity-treatment.js';
import { TacetError } from './errors.js';
import { requireJson } from './json-text.js';
import { areKeptTypes, KEPT_TYPES } from './kept-types.js';
import { COUNT, DIGEST, NAME, TIME } from './schemas.js';
import { Type } from './typebox.js';
import { closedObject, nullable, oneOf, type TypeOf } from './typed-schema.js';
import { validator } from './validator.js';

const CONTRIBUTION_TYPE = 'application/vnd.tacet.contribution+json';
export const MAX_SEGMENTS = 4096;

const MANIFEST = closedObject({
  /** SHA-256 of the bundle that encoded the segments. */
  model: DIGEST,
  /** SHA-256 of each segment. */
  segments: Type.Array(DIGEST, { minItems: 1, maxItems: MAX_SEGMENTS, uniqueItems: true }),
  counts: closedObject({ sentences: COUNT, tokens: COUNT }),
  /** SHA-256 of the label scheme. */
  labelScheme: DIGEST,
  /**
   * What the institution certified: of 19 in 20 PHI entities of every type, among those of each portion of a job
   * that have a word that can move, no adversary is right more often whether it is itself or one of its N near words,
   * in the mean over these, by the vectors alone: what is missing is not in it. Null where nothing was certified.
   */
  limit: nullable(Type.Number({ minimum: 0.5, maximum: 1 })),
  /** What became of labelled entities before they were encoded. */
  entities: Type.Optional(oneOf(ENTITY_TREATMENTS)),
  /** SHA-256 of the inventory that replaced them; null where they were kept. */
  inventory: Type.Optional(nullable(DIGEST)),
  /**
   * Types whose entities were kept where the others were replaced: `limit` speaks of them. Left out where
   * there are none, as servers that do not know of it take it.
   */
  keptTypes: Type.Optional(KEPT_TYPES),
  /**
   * How often each note was replaced, each time by other entities: a sentence with an entity stands as often
   * in it, one without stands once. Left out where it is 1, as servers that do not know of it take it.
   */
  copies: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_COPIES })),
  /** What the pool may do with it, in the institution's words. */
  terms: Type.String({ maxLength: 4096 }),
  institution: NAME,
  keyId: DIGEST,
  /** When it was signed, RFC 3339. */
  time: TIME,
});
type Stated = TypeOf<typeof MANIFEST>;

/** What an institution signs when it gives segments to a pool. */
export type ContributionManifest = Required<Stated>;

const parse = validator(MANIFEST, 'contribution-invalid', 'the contribution');

/**
 * Throws `contribution-invalid`. Where a manifest does not say so, entities were kept, copies are one, and no type
 * is an exception.
 */
export function parseContribution(value: unknown): ContributionManifest {
  const unstated = { entities: 'kept' as const, inventory: null, copies: 1, keptTypes: [] };
  const manifest = { ...unstated, ...parse(value) };
  const { entities, inventory, copies } = manifest;
  if ((entities === 'replaced') !== (inventory !== null))
    throw new TacetError(
      'contribution-invalid',
      'the contribution: inventory is stated where entities were replaced, and nowhere else',
    );
  if (copies > 1 && entities === 'kept')
    throw new TacetError(
      'contribution-invalid',
      'the contribution: entities that were kept are the same in each of its copies',
    );
  requireKeptTypes(manifest);
  return manifest;
}

function requireKeptTypes({ entities, keptTypes, copies, limit }: ContributionManifest): void {
  if (keptTypes.length === 0) return;
  if (entities === 'replaced' && copies === 1 && limit !== null && areKeptTypes(keptTypes)) return;
  throw new TacetError(
    'contribution-invalid',
    'the contribution: keptTypes are each once and in order, where the others were replaced once, and under a limit',
  );
}

/** Signs a contribution with the institution's key, which it names. */
export function signContribution(manifest: Omit<Stated, 'keyId'>, privateKey: KeyObject): Envelope {
  const { copies, keptTypes, ...stated } = parseContribution({
    ...manifest,
    keyId: keyIdOf(privateKey),
  });
  const signed = {
    ...stated,
    ...(keptTypes.length > 0 && { keptTypes }),
    ...(copies > 1 && { copies }),
  };
  return sign(CONTRIBUTION_TYPE, Buffer.from(JSON.stringify(signed)), privateKey);
}

/**
 * The manifest of an envelope, signed by the key that it names. Throws `key-untrusted`,
 * `signature-invalid` or `contribution-invalid`.
 */
export function openContribution(
  envelope: Envelope,
  trustedKeys: readonly KeyObject[],
): ContributionManifest {
  const { payload, keyIds } = verify(envelope, CONTRIBUTION_TYPE, trustedKeys);
  const manifest = parseContribution(
    requireJson(payload, 'contribution-invalid', 'the payload is not JSON'),
  );
  if (!keyIds.includes(manifest.keyId)) {
    throw new TacetError(
      'signature-invalid',
      `key ${manifest.keyId}, which the contribution names, did not sign it`,
    );
  }
  return manifest;
}
