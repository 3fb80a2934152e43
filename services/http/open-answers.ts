import { Type } from '../../proto/typebox.js';
import { mapOf } from '../../proto/typed-schema.js';

export const HEALTH = Type.Object(
  { status: Type.String(), code: Type.Optional(Type.String()) },
  { title: 'Health' },
);

/** Of a service over a store: `blobs` is `ok`, or the code of why what lies there cannot be had now. */
export const STORE_HEALTH = Type.Object(
  { status: Type.String(), blobs: Type.String() },
  { title: 'StoreHealth' },
);

export const DOCUMENT = mapOf(Type.Unknown(), { title: 'OpenApiDocument' });
