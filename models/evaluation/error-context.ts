import type { Span } from '../text/document.js';
import type { DocumentPair } from './document-counts.js';

export type Outcome = 'right' | 'missed' | 'spurious' | 'confused' | 'plain';

/** A stretch of text of which gold standard and system each say one thing. */
export interface Stretch {
  readonly text: string;
  readonly outcome: Outcome;
  readonly gold: readonly string[];
  readonly system: readonly string[];
}

/** A piece of a document around one error or more. */
export interface ErrorContext {
  readonly start: number;
  readonly stretches: readonly Stretch[];
}

/** In characters on each side of an error. */
const CONTEXT = 80;

/** Where the spans of a system differ from the gold ones in place or type, with what stands around. */
export function errorContexts(pair: DocumentPair): ErrorContext[] {
  const stretches = stretchesOf(pair);
  const contexts: ErrorContext[] = [];
  for (const { start, end } of windowsOf(stretches, pair.gold.text)) {
    const inside = stretches.filter((stretch) => stretch.start < end && stretch.end > start);
    contexts.push({
      start,
      stretches: inside.map((stretch) => ({
        ...stretch,
        text: pair.gold.text.slice(Math.max(start, stretch.start), Math.min(end, stretch.end)),
      })),
    });
  }
  return contexts;
}

interface PlacedStretch extends Omit<Stretch, 'text'> {
  readonly start: number;
  readonly end: number;
}

/** The whole text, cut at every start and end of a span. */
function stretchesOf({ gold, system }: DocumentPair): PlacedStretch[] {
  const spans = [...gold.spans, ...system.spans];
  const cuts = [
    ...new Set([0, gold.text.length, ...spans.flatMap(({ start, end }) => [start, end])]),
  ].sort((a, b) => a - b);
  const goldTypes = coveringTypes(gold.spans, cuts);
  const systemTypes = coveringTypes(system.spans, cuts);
  return cuts.slice(1).map((end, at) => {
    const wanted = goldTypes[at] as string[];
    const found = systemTypes[at] as string[];
    const start = cuts[at] as number;
    return { start, end, gold: wanted, system: found, outcome: outcomeOf(wanted, found) };
  });
}

/** For each stretch between two cuts, the types of the spans over it. */
function coveringTypes(spans: readonly Span[], cuts: readonly number[]): string[][] {
  const index = new Map(cuts.map((cut, at) => [cut, at]));
  const types = cuts.slice(1).map((): string[] => []);
  for (const { type, start, end } of spans)
    for (let at = index.get(start) as number; (cuts[at] as number) < end; at++)
      if (!types[at]?.includes(type)) types[at]?.push(type);
  return types;
}

function outcomeOf(gold: readonly string[], system: readonly string[]): Outcome {
  if (gold.length === 0) return system.length === 0 ? 'plain' : 'spurious';
  if (system.length === 0) return 'missed';
  return gold.some((type) => system.includes(type)) ? 'right' : 'confused';
}

/** The surroundings of the errors, joined where they touch, widened to whole words. */
function windowsOf(stretches: readonly PlacedStretch[], text: string) {
  const windows: { start: number; end: number }[] = [];
  for (const { start, end, outcome } of stretches) {
    if (outcome === 'plain' || outcome === 'right') continue;
    const from = wordEdge(text, Math.max(0, start - CONTEXT), -1);
    const until = wordEdge(text, Math.min(text.length, end + CONTEXT), 1);
    const before = windows.at(-1);
    if (before !== undefined && from <= before.end) before.end = Math.max(before.end, until);
    else windows.push({ start: from, end: until });
  }
  return windows;
}

const LONGEST_WORD = 20;

function wordEdge(text: string, at: number, step: 1 | -1): number {
  let edge = at;
  while (
    edge > 0 &&
    edge < text.length &&
    Math.abs(edge - at) < LONGEST_WORD &&
    /\S/.test(text.charAt(step < 0 ? edge - 1 : edge))
  )
    edge += step;
  return isInsidePair(text, edge) ? edge + step : edge;
}

const isInsidePair = (text: string, at: number) =>
  /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at));
