import { typeOfLabel } from './entity.js';

/** Whether the length of an entity of a type tells of its sentence; that of one that was replaced does not. */
export type TellsLength = (type: number) => boolean;

/** Where what begins at a token ends that is never cut: an entity, or a token without one. `labels` [T] are IOB2 ids. */
function elementEnd(labels: Uint8Array, start: number): number {
  const label = labels[start];
  let end = start + 1;
  if (label === 0) return end;
  const inside = 2 * typeOfLabel(label);
  while (labels[end] === inside) end++;
  return end;
}

/** What labels are compared by. */
export interface LabelShape {
  /** Equal for labels that differ in nothing but lengths of entities that tell nothing; one that goes on from a sentence before is another. */
  readonly key: string;
  /** How many entities and tokens without one there are. */
  readonly elements: number;
}

export function labelShape(labels: Uint8Array, tellsLength: TellsLength): LabelShape {
  let key = '';
  let outside = 0;
  let elements = 0;
  for (let at = 0, end = 0; at < labels.length; at = end) {
    end = elementEnd(labels, at);
    elements++;
    if (labels[at] === 0) {
      outside++;
      continue;
    }
    const told = tellsLength(typeOfLabel(labels[at])) ? end - at : 0;
    key += String.fromCharCode(outside, labels[at], told);
    outside = 0;
  }
  return { key: key + String.fromCharCode(outside), elements };
}

/**
 * Where labels of two elements and more are cut in two: where most tokens without an entity stand together, the first
 * such; at an end so that a power of two of them stays, between two entities in their middle.
 */
export function cutPlace(labels: Uint8Array): number {
  const { from, to } = longestOutside(labels);
  const tokens = to - from;
  if (tokens === 0) return middleOf(labels);
  const left = tokens === 1 ? 0 : 2 ** Math.floor(Math.log2(tokens - 1));
  if (to === labels.length) return from + left;
  return from === 0 ? to - left : (from + to) >> 1;
}

function longestOutside(labels: Uint8Array): { from: number; to: number } {
  let longest = { from: 0, to: 0 };
  for (let from = 0; from < labels.length; ) {
    let to = from;
    while (labels[to] === 0) to++;
    if (to - from > longest.to - longest.from) longest = { from, to };
    from = to < labels.length ? elementEnd(labels, to) : to;
  }
  return longest;
}

/** Between entities. */
function middleOf(labels: Uint8Array): number {
  const starts: number[] = [];
  for (let at = 0; at < labels.length; at = elementEnd(labels, at)) starts.push(at);
  return starts[starts.length >> 1];
}
