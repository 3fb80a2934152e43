import { jsonCheck } from '../../../proto/json-check.js';
import type { RawSpan } from './raw-document.js';

/**
 * Where tools keep the spans of a JSON line: `spans` (Tacet, robust-deid, Prodigy), `label`, `labels`
 * and `entities` (versions of doccano), `entities` and `ents` (spaCy), `annotations`.
 */
export const SPAN_KEYS = ['spans', 'entities', 'ents', 'label', 'labels', 'annotations'] as const;
/** What else those tools write in lists and objects, none of which states where PHI stands. */
const OTHER_KEYS: ReadonlySet<string> = new Set(
  'id text meta tokens sents cats relations comments Comments'.split(' '),
);

const EXPECTED =
  `expected 'spans' (or ${SPAN_KEYS.slice(1).join(', ')}) with a list of ` +
  '{"start", "end", "label"} or [start, end, label]';

type Offset = number | string;

/** `label` is what we write, `type` what it is called in memory; doccano's offsets have longer names. */
interface SpanObject {
  readonly start?: Offset;
  readonly end?: Offset;
  readonly start_offset?: Offset;
  readonly end_offset?: Offset;
  readonly label?: string;
  readonly type?: string;
  readonly text?: string;
}

type SpanTriple = readonly [start: Offset, end: Offset, label: string];

/** Tools that write offsets as strings are understood. */
const OFFSET = { type: ['integer', 'string'], minimum: 0, pattern: '^[0-9]{1,10}$' };
const LABEL = { type: 'string' };

const isTriple = jsonCheck<SpanTriple>(
  {
    type: 'array',
    items: [OFFSET, OFFSET, LABEL],
    minItems: 3,
    maxItems: 3,
  },
  { allowUnionTypes: true, strictRequired: false, strictTuples: false },
);

const isSpanObject = jsonCheck<SpanObject>(
  {
    type: 'object',
    properties: {
      start: OFFSET,
      end: OFFSET,
      start_offset: OFFSET,
      end_offset: OFFSET,
      label: LABEL,
      type: LABEL,
      text: { type: 'string' },
    },
  },
  { allowUnionTypes: true, strictRequired: false, strictTuples: false },
);

/** Each thing that a span says, by its names. */
const NAMES = [
  ['start', 'start_offset'],
  ['end', 'end_offset'],
  ['label', 'type'],
] as const;

/** What a line says of spans, or why it cannot be understood. */
export type StatedSpans =
  | { readonly spans: readonly RawSpan[]; readonly isPlain: boolean }
  | { readonly problem: string };

/**
 * The spans of a JSON line, in whichever of the common shapes they are; `isPlain` where nothing in it
 * looks like annotations. A line whose annotations would be passed over is a problem, since it would
 * count as one without PHI.
 */
export function spansOfLine(line: Readonly<Record<string, unknown>>): StatedSpans {
  const keys = SPAN_KEYS.filter((key) => Array.isArray(line[key]));
  const foreign = Object.keys(line).find(
    (key) => !keys.some((known) => known === key) && isForeign(key, line),
  );
  if (foreign !== undefined)
    return {
      problem: `${named(foreign, line)} looks like annotations and is not read; ${EXPECTED}`,
    };
  const [key, another] = keys;
  if (another !== undefined)
    return { problem: `'${key}' and '${another}' both hold annotations; expected one of them` };
  if (line.answer !== undefined && line.answer !== 'accept')
    return { problem: "'answer' says that the annotations were not accepted; expected 'accept'" };
  if (key === undefined) return unlisted(line);
  return spansAt(key, line[key] as readonly unknown[]);
}

/** Where no key holds a list: a label of the whole text is no statement on spans. */
function unlisted(line: Readonly<Record<string, unknown>>): StatedSpans {
  const key = SPAN_KEYS.find((each) => Object.hasOwn(line, each));
  if (key === undefined) return { spans: [], isPlain: true };
  return { problem: `'${key}' holds no list; ${EXPECTED}` };
}

function spansAt(key: string, items: readonly unknown[]): StatedSpans {
  const spans: RawSpan[] = [];
  for (const [index, item] of items.entries()) {
    const place = `span ${index + 1}`;
    if (isTriple(item)) {
      const [start, end, type] = item;
      spans.push({ type, start: Number(start), end: Number(end), place });
      continue;
    }
    const fault = faultOf(item);
    if (fault !== undefined) return { problem: `/${key}/${index}${fault}; ${EXPECTED}` };
    spans.push(spanOf(item as SpanObject, place));
  }
  return { spans, isPlain: false };
}

/** What is wrong with a span that should be an object; it may be named twice, but not in two ways. */
function faultOf(item: unknown): string | undefined {
  if (!isSpanObject(item)) {
    const [error] = isSpanObject.errors;
    return `${error?.instancePath} ${error?.message ?? 'is malformed'}`;
  }
  for (const [name, other] of NAMES) {
    const stated = [item[name], item[other]].filter((value) => value !== undefined);
    if (stated.length === 0) return ` has no '${name}'`;
    if (stated.length === 2 && String(stated[0]) !== String(stated[1]))
      return ` has another '${name}' than '${other}'`;
  }
  return undefined;
}

function spanOf(item: SpanObject, place: string): RawSpan {
  const { start = item.start_offset, end = item.end_offset, label = item.type, text } = item;
  return {
    type: label as string,
    start: Number(start),
    end: Number(end),
    ...(text === undefined ? {} : { text }),
    place,
  };
}

const ANNOTATION_NAME =
  /annot|label|span|entit|^ents?$|tag|^ner|phi|pii|mention|^bio|^iob|predict|highlight/i;
/** A token's `tag` is its part of speech. */
const TOKEN_ANNOTATION = /^(label|ner|ent|bio|iob|phi|pii)/i;
const START = /^(start|begin|offset|from)/i;

/** Whether a key holds what looks like annotations by its name or by what is in it. */
function isForeign(key: string, line: Readonly<Record<string, unknown>>): boolean {
  const value = line[key];
  if (typeof value !== 'object' || value === null) return false;
  if (key === 'tokens') return Object.values(value).some(hasTokenAnnotation);
  if (OTHER_KEYS.has(key)) return false;
  return ANNOTATION_NAME.test(key) || holdsSpans(value);
}

function hasTokenAnnotation(token: unknown): boolean {
  return isObject(token) && Object.keys(token).some((key) => TOKEN_ANNOTATION.test(key));
}

/** Whether something with a start, or two numbers and a name, is anywhere in a value, however deep. */
function holdsSpans(value: object): boolean {
  const left: unknown[] = [value];
  for (let inner = left.pop(); inner !== undefined; inner = left.pop()) {
    if (isTriple(inner)) return true;
    if (!isObject(inner)) continue;
    for (const [key, each] of Object.entries(inner)) {
      if (START.test(key) && typeof each === 'number') return true;
      if (isObject(each)) left.push(each);
    }
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A key that no tool is known for may be text of the document: it is told by where it stands, from 1. */
function named(key: string, line: Readonly<Record<string, unknown>>): string {
  if (OTHER_KEYS.has(key) || SPAN_KEYS.some((known) => known === key)) return `'${key}'`;
  return `key ${Object.keys(line).indexOf(key) + 1} of the object`;
}
