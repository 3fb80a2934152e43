const LEAST_BYTES = 64;
const LEAST_POWER = Math.log2(LEAST_BYTES);
const CLASSES_A_DOUBLING = 4;
/** Up to the most that a double counts, 2^53 bytes. */
const DOUBLINGS = 53 - LEAST_POWER;

/** The bytes of a buffer of each class: the least one's, and from there so many quarters of each double. */
export const CLASS_SIZES = Float64Array.from(
  { length: 1 + CLASSES_A_DOUBLING * DOUBLINGS },
  (_, index) => {
    if (index === 0) return LEAST_BYTES;
    const doubling = Math.floor((index - 1) / CLASSES_A_DOUBLING);
    const quarters = 1 + ((index - 1) % CLASSES_A_DOUBLING);
    return LEAST_BYTES * 2 ** doubling * (1 + quarters / CLASSES_A_DOUBLING);
  },
);

/** The first class whose buffers hold `bytes`, an integer up to 2^53. */
export function classOf(bytes: number): number {
  if (bytes <= LEAST_BYTES) return 0;
  // The greatest power of two below `bytes`, of which a class is some quarters.
  const power = bytes <= 2 ** 31 ? 31 - Math.clz32(bytes - 1) : Math.floor(Math.log2(bytes - 1));
  const quarters = Math.ceil((bytes * CLASSES_A_DOUBLING) / 2 ** power) - CLASSES_A_DOUBLING;
  return CLASSES_A_DOUBLING * (power - LEAST_POWER) + quarters;
}
