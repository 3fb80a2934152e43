/** An upper bound on a probability in thousandths, never less than it is. */
export function boundText(bound: number): string {
  const nearest = Math.round(1000 * bound);
  const thousandths = nearest / 1000 < bound ? nearest + 1 : nearest;
  return (thousandths / 1000).toFixed(3);
}
