import type { Envelope } from './dsse.js';
import { BASE64, DIGEST } from './schemas.js';
import { validator } from './validator.js';

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['payloadType', 'payload', 'signatures'],
  properties: {
    payloadType: { type: 'string', minLength: 1, maxLength: 200 },
    payload: { ...BASE64, maxLength: 1_000_000 },
    signatures: {
      type: 'array',
      minItems: 1,
      maxItems: 16,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['keyid', 'sig'],
        properties: { keyid: DIGEST, sig: { ...BASE64, maxLength: 100 } },
      },
    },
  },
};

/** Checks the shape of an envelope, not its signatures; throws `request-invalid`. */
export const parseEnvelope = validator<Envelope>(schema, 'request-invalid', 'the DSSE envelope');
