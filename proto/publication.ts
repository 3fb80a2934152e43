import { DIGEST } from './schemas.js';
import { closedObject, mapOf, type TypeOf } from './typed-schema.js';
import { validator } from './validator.js';

const PUBLICATION = closedObject({
  /** SHA-256 of `manifest.json`, which names the bundle. */
  digest: DIGEST,
  /** SHA-256 of every file, manifest and signature included, by its name. */
  files: mapOf(DIGEST, {
    minProperties: 2,
    maxProperties: 64,
    propertyNames: { pattern: '^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$' },
  }),
});

/** What a provider posts once every file of a bundle is uploaded. */
export type Publication = TypeOf<typeof PUBLICATION>;

export const parsePublication = validator(PUBLICATION, 'request-invalid', 'the publication');

/** How a registry stands to a published model. */
export const PUBLICATION_STATUSES = ['published', 'deprecated', 'revoked'] as const;
export type PublicationStatus = (typeof PUBLICATION_STATUSES)[number];

/** Media type of the payload of a signed audit. */
export const AUDIT_TYPE = 'application/vnd.tacet.audit+json';
