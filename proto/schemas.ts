/** Pieces that the JSON schemas share. */
import { Type } from './typebox.js';

/** SHA-256, in hex. */
export const DIGEST = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** Names of institutions, models, aliases and tokens: safe in a path, a log and a terminal. */
export const NAME = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' });

const VERSION_PATTERN = '^[0-9]{1,9}\\.[0-9]{1,9}\\.[0-9]{1,9}$';

/** Of a model. */
export const VERSION = Type.String({ pattern: VERSION_PATTERN });

/** Anything else is an alias: no registry takes one that looks like a version. */
export function isVersion(text: string): boolean {
  return new RegExp(VERSION_PATTERN).test(text);
}

/** By their numbers, the lower first. */
export function compareVersions(a: string, b: string): number {
  const numbers = b.split('.').map(Number);
  const differences = a.split('.').map((part, i) => Number(part) - (numbers[i] as number));
  return differences.find((difference) => difference !== 0) ?? 0;
}

/** RFC 3339, in UTC. */
export const TIME = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z$',
});

/** The same with any number of decimals. */
export const FINE_TIME = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$',
});

export const NATURAL = Type.Integer({ minimum: 0 });

/** Of a whole; also a probability. */
export const SHARE = Type.Number({ minimum: 0, maximum: 1 });

export const COUNT = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export function base64(maxLength: number) {
  return Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$', maxLength });
}
