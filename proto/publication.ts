import { DIGEST } from './schemas.js';
import { validator } from './validator.js';

/** What a provider posts once every file of a bundle is uploaded. */
export interface Publication {
  /** SHA-256 of `manifest.json`, which names the bundle. */
  readonly digest: string;
  /** SHA-256 of every file, manifest and signature included, by its name. */
  readonly files: Readonly<Record<string, string>>;
}

export const parsePublication = validator<Publication>(
  {
    type: 'object',
    additionalProperties: false,
    required: ['digest', 'files'],
    properties: {
      digest: DIGEST,
      files: {
        type: 'object',
        minProperties: 2,
        maxProperties: 64,
        propertyNames: { pattern: '^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$' },
        additionalProperties: DIGEST,
      },
    },
  },
  'request-invalid',
  'the publication',
);

/** How a registry stands to a published model. */
export const PUBLICATION_STATUSES = ['published', 'deprecated', 'revoked'] as const;
export type PublicationStatus = (typeof PUBLICATION_STATUSES)[number];

/** Media type of the payload of a signed audit. */
export const AUDIT_TYPE = 'application/vnd.tacet.audit+json';
