import { isDeepStrictEqual } from 'node:util';
import { TacetError } from '../../../proto/errors.js';
import { withoutRetiredKeys } from './retired-keys.js';

/**
 * Refuses with `checkpoint-invalid` to go on with a run whose `file` holds another configuration. A key
 * of `defaults` that the file lacks is newer than the run, which went by its default.
 */
export function requireSameConfiguration(
  file: string,
  existing: string,
  config: unknown,
  defaults: object,
): void {
  const begun = withDefaults(withoutRetiredKeys(parse(existing, file)), asJson(defaults));
  if (isDeepStrictEqual(begun, asJson(config))) return;
  throw new TacetError(
    'checkpoint-invalid',
    `${file} differs from this run's configuration: a run resumes with the one it began with`,
  );
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TacetError(
      'checkpoint-invalid',
      `${file} is not the JSON of a run's configuration: start anew in another directory`,
      { cause },
    );
  }
}

/** A configuration with the keys of `defaults` that it lacks. */
function withDefaults(config: unknown, defaults: unknown): unknown {
  if (!isRecord(config) || !isRecord(defaults)) return config;
  const keys = new Set([...Object.keys(defaults), ...Object.keys(config)]);
  return Object.fromEntries(
    [...keys].map((key) => [
      key,
      key in config ? withDefaults(config[key], defaults[key]) : defaults[key],
    ]),
  );
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
