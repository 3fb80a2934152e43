const FIRST = 1901;
const MOST_AHEAD = 50;

/**
 * Whether a year may be one of a patient's life and care. Programs write others where no date is known, such as those of
 * 9999-12-31 and 1900-01-01, which everybody knows: moved, they would say by how much all dates of the patient were.
 */
export function mayBeLived(year: number): boolean {
  return year >= FIRST && year <= new Date().getUTCFullYear() + MOST_AHEAD;
}
