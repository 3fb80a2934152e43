/**
 * Where the pieces of a sentence end that is cut into as few as hold `most` tokens each, of nearly one length. No entity
 * is cut, so that a piece that holds one may be longer. `labels` [T], IOB2 ids: those inside of an entity are even.
 */
export function pieceEnds(labels: Uint8Array, most: number): number[] {
  const tokens = labels.length;
  const pieces = Math.ceil(tokens / most);
  const ends: number[] = [];
  let last = 0;
  for (let piece = 1; piece < pieces; piece++) {
    const end = outsideOfEntity(labels, Math.round((piece * tokens) / pieces), last);
    if (end <= last || end >= tokens) continue;
    ends.push(end);
    last = end;
  }
  if (tokens > 0) ends.push(tokens);
  return ends;
}

/** Before the entity that a place is in, or behind it where nothing is left between it and `last`. */
function outsideOfEntity(labels: Uint8Array, place: number, last: number): number {
  let before = place;
  while (before > last && isInside(labels[before])) before--;
  if (before > last) return before;
  let behind = place;
  while (behind < labels.length && isInside(labels[behind])) behind++;
  return behind;
}

function isInside(label = 0): boolean {
  return label > 0 && label % 2 === 0;
}
