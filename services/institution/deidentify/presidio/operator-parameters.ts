import { TacetError } from '../../../../proto/errors.js';

/** What Presidio's messages call the types of JSON. */
type ParameterType = 'string' | 'number' | 'boolean';

/** Throws `request-invalid`, with Presidio's words, for a parameter that is absent or of another type. */
export function requireParameter(value: unknown, name: string, type: ParameterType): void {
  if (value === undefined || value === null) throw refusal(`Expected parameter ${name}`);
  requireType(value, name, type);
}

/** The same for one that may be absent or, as in Python, empty. */
export function requireType(value: unknown, name: string, type: ParameterType): void {
  if (!value || typeof value === type) return;
  const actual = nameOf(value);
  throw refusal(
    actual === undefined
      ? `Invalid parameter value for '${name}'.`
      : `Invalid parameter value for ${name}. Expecting '${type}', but got '${actual}'.`,
  );
}

/** Throws the same for a field of a finding or an operator that is not there. */
export function requireField(value: unknown, of: string, name: string): void {
  if (value === undefined || value === null || value === '')
    throw refusal(`Invalid input, ${of} must contain ${name}`);
}

/** Presidio repeats what it was sent; we do so for a word of code alone. */
export function repeated(value: unknown): string {
  return typeof value === 'string' && /^\w{1,32}$/.test(value) ? value : '?';
}

export function refusal(message: string): TacetError {
  return new TacetError('request-invalid', message);
}

function nameOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'number' : undefined;
  return typeof value === 'object' ? undefined : typeof value;
}
