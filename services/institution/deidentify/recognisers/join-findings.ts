/** Where something was found, in UTF-16 offsets. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly score: number;
  /** By its shape: a model that found the same knows more of its type. */
  readonly isByShape?: boolean;
}

/**
 * Findings that overlap, as one, from the least `start` to the greatest `end`: otherwise half of an address
 * would stay in clear where the model found the other half. Its type is that of the `speaker`, the longest
 * of them; of two as long, what a model found, else the surer one.
 */
export interface Joined<F extends Found> extends Found {
  readonly speaker: F;
}

/** In order of `start`, none overlapping another. */
export function joinFindings<F extends Found>(findings: Iterable<F>): Joined<F>[] {
  const joined: { start: number; end: number; score: number; speaker: F }[] = [];
  for (const finding of [...findings].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && finding.start < last.end) {
      last.end = Math.max(last.end, finding.end);
      last.score = Math.max(last.score, finding.score);
      if (speaksBefore(finding, last.speaker)) last.speaker = finding;
      continue;
    }
    const { start, end, score } = finding;
    joined.push({ start, end, score, speaker: finding });
  }
  return joined;
}

function speaksBefore(a: Found, b: Found): boolean {
  const [lengthA, lengthB] = [a.end - a.start, b.end - b.start];
  if (lengthA !== lengthB) return lengthA > lengthB;
  const [byShapeA, byShapeB] = [a.isByShape === true, b.isByShape === true];
  return byShapeA === byShapeB ? a.score > b.score : byShapeB;
}
