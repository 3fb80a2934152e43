import { InvalidArgumentError } from 'commander';

/** Parses an option that must be a whole number from `least` to `most`. */
export function wholeNumber(
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): (value: string) => number {
  return (value) => {
    const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    const range =
      most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
    throw new InvalidArgumentError(`Expected a whole number ${range}.`);
  };
}
