import { Type } from 'typebox';
import { mapOf } from '../../proto/typed-schema.js';

export const HEALTH = Type.Object(
  { status: Type.String(), code: Type.Optional(Type.String()) },
  { title: 'Health' },
);

export const DOCUMENT = mapOf(Type.Unknown(), { title: 'OpenApiDocument' });
