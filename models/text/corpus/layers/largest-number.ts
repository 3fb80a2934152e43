/** The largest of any number of numbers, or `least`. A call with a million of them would exhaust the stack. */
export function largestNumber(numbers: Iterable<number>, least: number): number {
  let largest = least;
  for (const each of numbers) if (each > largest) largest = each;
  return largest;
}
