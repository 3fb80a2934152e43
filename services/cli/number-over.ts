import { InvalidArgumentError } from 'commander';

/** Parses an option that must be a number over `least`. */
export function numberOver(least: number): (value: string) => number {
  return (value) => {
    const number = value.trim() === '' ? Number.NaN : Number(value);
    if (number > least && Number.isFinite(number)) return number;
    throw new InvalidArgumentError(`Expected a number over ${least}.`);
  };
}
