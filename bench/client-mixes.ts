/** What clients of a pool do: this share of them upload and contribute, the others read. */
export const MIXES: Readonly<Record<string, number>> = {
  'contributions alone': 1,
  'readings alone': 0,
  'half and half': 0.5,
};
