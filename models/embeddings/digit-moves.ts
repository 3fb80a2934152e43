/** What a digits-only word moves among: all of them, whatever N is, or its own N neighbours. */
export const DIGIT_MOVES = ['any', 'neighbours'] as const;
export type DigitMoves = (typeof DIGIT_MOVES)[number];
