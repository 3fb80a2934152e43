import { InvalidArgumentError } from 'commander';

/** `1,2,3`. */
export function seedList(text: string): number[] {
  return text.split(',').map((each) => {
    if (/^\d{1,9}$/.test(each)) return Number(each);
    throw new InvalidArgumentError('expected whole numbers, by commas');
  });
}
