/** N of the pairs that a limit speaks of where a policy names none: the paper's own number of neighbours. */
export const DEFAULT_NEIGHBOURS = 100;
