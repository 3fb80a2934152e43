import { InvalidArgumentError } from 'commander';

/** `1,2,3`, each once: what is measured twice with one seed would count as two that agree. */
export function seedList(text: string): number[] {
  const seeds = text.split(',').map((each) => {
    if (/^\d{1,9}$/.test(each)) return Number(each);
    throw new InvalidArgumentError('expected whole numbers, by commas');
  });
  if (new Set(seeds).size === seeds.length) return seeds;
  throw new InvalidArgumentError('expected different whole numbers, by commas');
}
