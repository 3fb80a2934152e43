/**
 * Label ids that also say where an entity ends: 0 outside, then of each type, in the order of its scheme,
 * begin, inside, end and single, which is an entity of one token.
 */
const PLACES = 4;
const [BEGIN, INSIDE, END, SINGLE] = [0, 1, 2, 3] as const;

/** Labels of a scheme with so many IOB2 labels. */
export function bioesCount(iob2Labels: number): number {
  return 1 + (PLACES * (iob2Labels - 1)) / 2;
}

/** IOB2 label ids [T] of one sentence with their ends. An inside label that nothing precedes begins. */
export function bioesOf(iob2: Uint8Array): Uint8Array {
  const goesOn = (t: number) => {
    const label = iob2[t] as number;
    return label > 0 && label % 2 === 0 && typeOf(label) === typeOf(iob2[t - 1] ?? 0);
  };
  return iob2.map((label, t) => {
    if (label === 0) return 0;
    const starts = !goesOn(t);
    const ends = t + 1 >= iob2.length || !goesOn(t + 1);
    const place = starts ? (ends ? SINGLE : BEGIN) : ends ? END : INSIDE;
    return 1 + PLACES * typeOf(label) + place;
  });
}

/** The inverse; of a sequence that no entities give, what begins or stands alone begins. */
export function iob2Of(bioes: ArrayLike<number>): Uint8Array {
  return Uint8Array.from(bioes, (label) => {
    if (label === 0) return 0;
    const place = (label - 1) % PLACES;
    const type = (label - 1 - place) / PLACES;
    return 1 + 2 * type + (place === BEGIN || place === SINGLE ? 0 : 1);
  });
}

/** From 0 on; −1 outside. */
function typeOf(label: number): number {
  return label === 0 ? -1 : (label - 1) >> 1;
}
