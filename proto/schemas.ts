/** Pieces that the JSON schemas share. */
export const DIGEST = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const;

/** Names of institutions, models, aliases and tokens: safe in a path, a log and a terminal. */
export const NAME = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' } as const;

/** Of a model. */
export const VERSION = {
  type: 'string',
  pattern: '^[0-9]{1,9}\\.[0-9]{1,9}\\.[0-9]{1,9}$',
} as const;

/** Anything else is an alias: no registry takes one that looks like a version. */
export function isVersion(text: string): boolean {
  return new RegExp(VERSION.pattern).test(text);
}

/** RFC 3339, in UTC. */
export const TIME = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z$',
} as const;

export const COUNT = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;

export const BASE64 = { type: 'string', pattern: '^[A-Za-z0-9+/]*={0,2}$' } as const;
