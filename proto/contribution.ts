import type { KeyObject } from 'node:crypto';
import { type Envelope, keyIdOf, sign, verify } from './dsse.js';
import { ENTITY_TREATMENTS, type EntityTreatment } from './entity-treatment.js';
import { TacetError } from './errors.js';
import { requireJson } from './json-text.js';
import { COUNT, DIGEST, NAME, TIME } from './schemas.js';
import { validator } from './validator.js';

export const CONTRIBUTION_TYPE = 'application/vnd.tacet.contribution+json';
export const MAX_SEGMENTS = 4096;

/** What an institution signs when it gives segments to a pool. */
export interface ContributionManifest {
  /** SHA-256 of the bundle that encoded the segments. */
  readonly model: string;
  /** SHA-256 of each segment. */
  readonly segments: readonly string[];
  readonly counts: { readonly sentences: number; readonly tokens: number };
  /** SHA-256 of the label scheme. */
  readonly labelScheme: string;
  /**
   * What the institution certified: of 19 in 20 PHI entities of every type in it, no adversary is right
   * more often whether it is another one, by the vectors alone: what is missing is not in it. Null where
   * nothing was certified.
   */
  readonly limit: number | null;
  /** What became of labelled entities before they were encoded. */
  readonly entities: EntityTreatment;
  /** SHA-256 of the inventory that replaced them; null where they were kept. */
  readonly inventory: string | null;
  /** What the pool may do with it, in the institution's words. */
  readonly terms: string;
  readonly institution: string;
  readonly keyId: string;
  /** When it was signed, RFC 3339. */
  readonly time: string;
}

const schema = {
  type: 'object',
  additionalProperties: false,
  required: [
    'model',
    'segments',
    'counts',
    'labelScheme',
    'limit',
    'terms',
    'institution',
    'keyId',
    'time',
  ],
  properties: {
    model: DIGEST,
    segments: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_SEGMENTS,
      uniqueItems: true,
      items: DIGEST,
    },
    counts: {
      type: 'object',
      additionalProperties: false,
      required: ['sentences', 'tokens'],
      properties: { sentences: COUNT, tokens: COUNT },
    },
    labelScheme: DIGEST,
    limit: { type: 'number', nullable: true, minimum: 0.5, maximum: 1 },
    entities: { type: 'string', enum: ENTITY_TREATMENTS },
    inventory: { ...DIGEST, nullable: true },
    terms: { type: 'string', maxLength: 4096 },
    institution: NAME,
    keyId: DIGEST,
    time: TIME,
  },
};

type Parsed = Omit<ContributionManifest, 'entities' | 'inventory'> &
  Partial<Pick<ContributionManifest, 'entities' | 'inventory'>>;

const parse = validator<Parsed>(schema, 'contribution-invalid', 'the contribution');

/** Throws `contribution-invalid`. Where a manifest does not say so, entities were kept. */
export function parseContribution(value: unknown): ContributionManifest {
  const manifest = { entities: 'kept' as const, inventory: null, ...parse(value) };
  if ((manifest.entities === 'replaced') === (manifest.inventory !== null)) return manifest;
  throw new TacetError(
    'contribution-invalid',
    'the contribution: inventory is stated where entities were replaced, and nowhere else',
  );
}

/** Signs a contribution with the institution's key, which it names. */
export function signContribution(manifest: Omit<Parsed, 'keyId'>, privateKey: KeyObject): Envelope {
  const signed = parseContribution({ ...manifest, keyId: keyIdOf(privateKey) });
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
