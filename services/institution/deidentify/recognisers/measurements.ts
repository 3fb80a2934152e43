import type { Span } from '../../../../models/text/document.js';

/** Something has to part them: `EF35 ABC` is the plate of a car. */
const BETWEEN = String.raw`(?:[ \t]{1,2}(?:(?:is|was|of|[:=])[ \t]{0,2})?|[:=][ \t]{0,2})`;
const DECIMAL = String.raw`(?:[.,]\d{1,2})?`;

/** Vital signs and what stands beside them in every note, each with numbers that it can have. */
const MEASURES = [
  String.raw`(?:BP|blood pressure)${BETWEEN}\d{2,3}[ ]?/[ ]?\d{2,3}`,
  String.raw`(?:HR|pulse|heart rate)${BETWEEN}\d{2,3}`,
  String.raw`(?:RR|resp(?:iratory)? rate|resps)${BETWEEN}\d{1,2}`,
  String.raw`(?:T|Temp|temperature)${BETWEEN}(?:3\d|4[0-2]|9\d|10\d)${DECIMAL}`,
  String.raw`(?:SpO2|SaO2|O2 sats?|sats?)${BETWEEN}\d{2,3}`,
  String.raw`(?:L?VEF|EF|ejection fraction)${BETWEEN}\d{2}`,
  String.raw`(?:GCS)${BETWEEN}\d{1,2}`,
];
const UNITS = String.raw`(?:[ ]?(?:%|mm ?Hg|bpm|°? ?[CF]|/15|/min)(?!\p{L}))?`;
const MEASUREMENT = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${MEASURES.join('|')})${UNITS}(?![\p{L}\p{N}]|[./:-]\d|-\p{L})`,
  'gu',
);

/** Where vital signs stand with their numbers, in order: `BP 128/82`, `T 37.1`. They are nobody's in particular. */
export function measurementsIn(text: string): { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(MEASUREMENT)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }));
}

/** A span without the measurements that it takes in, in pieces; none where nothing else of letters or digits is left. */
export function* withoutMeasurements<S extends Span>(
  span: S,
  text: string,
  measurements: readonly { readonly start: number; readonly end: number }[],
): Generator<S> {
  const within = measurements.filter(({ start, end }) => start < span.end && span.start < end);
  if (within.length === 0) {
    yield span;
    return;
  }
  let from = span.start;
  for (const { start, end } of [...within, { start: span.end, end: span.end }]) {
    const piece = trimmed(text, from, start);
    if (piece) yield { ...span, ...piece };
    from = Math.max(from, end);
  }
}

function trimmed(text: string, from: number, to: number) {
  const [kept] =
    /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(text.slice(from, Math.max(from, to))) ?? [];
  if (kept === undefined) return undefined;
  const start = text.indexOf(kept, from);
  return { start, end: start + kept.length };
}
