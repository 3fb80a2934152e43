import { type SurrogateKind, surrogateKind } from '../../../../models/surrogates/surrogate-kind.js';
import type { Span } from '../../../../models/text/document.js';

/** Something has to part them: `EF35 ABC` is the plate of a car. */
const BETWEEN = String.raw`(?:[ \t]{1,2}(?:(?:is|was|of|[:=])[ \t]{0,2})?|[:=][ \t]{0,2})`;
const DECIMAL = String.raw`(?:[.,]\d{1,2})?`;
/** Of saturations those that are no day of a month. */
const SATURATION = String.raw`(?:[7-9]\d|100)`;

/** Vital signs and what stands beside them in every note, each with numbers that it can have. */
const MEASURES = [
  String.raw`(?:BP|blood pressure)${BETWEEN}\d{2,3}[ ]?/[ ]?\d{2,3}`,
  String.raw`(?:HR|pulse|heart rate)${BETWEEN}\d{2,3}`,
  // `RR 2 Box 45` is a rural route.
  String.raw`(?:RR|resp(?:iratory)? rate|resps)${BETWEEN}\d{1,2}(?!,?[ ]?(?:(?:[Bb]ox|BOX)(?!\p{L})|#))`,
  String.raw`(?:T|Temp|temperature)${BETWEEN}(?:3\d|4[0-2]|9\d|10\d)${DECIMAL}`,
  String.raw`(?:SpO2|SaO2|O2 sats?)${BETWEEN}\d{2,3}`,
  // `sat 14` may be a Saturday.
  String.raw`sats?[ \t]{0,2}[:=][ \t]{0,2}${SATURATION}`,
  `(?:sats${BETWEEN}${SATURATION}|sat${BETWEEN}${SATURATION}(?=[ ]?%))`,
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

/** Places that may be written like a measure: a rural route is `RR 2`, a building `T 95`. */
const PLACES: ReadonlySet<SurrogateKind> = new Set([
  ...(['place', 'country', 'street', 'zip', 'hospital', 'clinic', 'room'] as const),
]);

/** A span without the measurements that it takes in, in pieces; none where nothing else of letters or digits is left. Places stay whole. */
export function* withoutMeasurements<S extends Span>(
  span: S,
  text: string,
  measurements: readonly { readonly start: number; readonly end: number }[],
): Generator<S> {
  const within = measurements.filter(({ start, end }) => start < span.end && span.start < end);
  const phi = text.slice(span.start, span.end);
  if (within.length === 0 || PLACES.has(surrogateKind(span.type, phi))) {
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
