import { InvalidArgumentError } from 'commander';

/** Parses an option that must be a number above 0 and not above 1. */
export function parseShare(value: string): number {
  const number = /^\d*\.?\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number > 0 && number <= 1) return number;
  throw new InvalidArgumentError('Expected a number above 0 and not above 1.');
}

/** The same, or 0. */
export function shareOrNone(value: string): number {
  return /^0*\.?0+$/.test(value) ? 0 : parseShare(value);
}
