import { SPAN_KEYS } from '../json-spans.js';
import { parseJsonlDocument } from '../jsonl.js';
import { countedOffset, offsetsOf } from '../offset-counting.js';
import { agreeingCounting, checkedDocument } from '../raw-document.js';
import { type Fields, fieldsIn, isName, isObject, Removals } from './closed-structure.js';
import { isMarkedNumber } from './exact-numbers.js';
import { largestNumber } from './largest-number.js';
import type { LayeredDocument, LayeredFile, LayerTreatment } from './layered-file.js';
import type { TextChange } from './text-change.js';

type Item = Fields | readonly unknown[];
type SpanKey = (typeof SPAN_KEYS)[number];

/** Under these keys tools write a span as `[start, end, label]`, under others as an object. */
const TRIPLE_KEYS: readonly SpanKey[] = ['entities', 'label', 'labels'];

/** Where and how the lines of a file write spans, for those that have none of their own. */
class FileShape {
  #key: SpanKey | undefined;
  readonly #samples = new Map<SpanKey, Item>();

  see(line: Fields): void {
    const key = spanKeyOf(line);
    if (key === undefined) return;
    this.#key ??= key;
    const [first] = line[key] as readonly Item[];
    if (first !== undefined && !this.#samples.has(key)) this.#samples.set(key, first);
  }

  keyFor(line: Fields): SpanKey {
    return spanKeyOf(line) ?? this.#key ?? 'label';
  }

  sampleFor(key: SpanKey): Item {
    const usual = TRIPLE_KEYS.includes(key) ? [] : { start: 0, end: 0, label: '' };
    return this.#samples.get(key) ?? usual;
  }
}

function spanKeyOf(line: Fields): SpanKey | undefined {
  return SPAN_KEYS.find((each) => Array.isArray(line[each]));
}

/** A file of JSON lines, doccano's or ours, with whatever else its lines hold. Throws `corpus-invalid`. */
export function doccanoLayers(
  content: string,
  origin: string,
  treatment: LayerTreatment,
): LayeredFile {
  const removals = new Removals();
  const shape = new FileShape();
  const lines = content.split('\n').map((line, index) => {
    if (line.trim() === '') return line;
    return new DoccanoLine(line, `${origin}:${index + 1}`, treatment, removals, shape);
  });
  return {
    documents: lines.filter((line) => typeof line !== 'string'),
    get removed() {
      return removals.count;
    },
    format: () => lines.map((line) => (typeof line === 'string' ? line : line.format())).join('\n'),
  };
}

class DoccanoLine implements LayeredDocument {
  readonly text: string;
  #value: Fields;

  constructor(
    private readonly line: string,
    private readonly origin: string,
    private readonly treatment: LayerTreatment,
    private readonly removals: Removals,
    private readonly shape: FileShape,
  ) {
    const raw = parseJsonlDocument(line, '', origin);
    this.text = checkedDocument(raw, { overlaps: 'keep' }).text;
    this.#value = JSON.parse(line.replace(/^\ufeff/, '')) as Fields;
    shape.see(this.#value);
  }

  change(change: TextChange): void {
    const { text, origin, removals } = this;
    const value = this.#value;
    const key = this.shape.keyFor(value);
    const counting = agreeingCounting(parseJsonlDocument(this.line, '', origin));
    const offsets = offsetsOf(text, counting);
    const counted = (at: number) => countedOffset(change.after, at, counting);
    const moved = (offset: unknown, edge: 'start' | 'end') =>
      counted(change.moved(offsets.at(Number(offset)) ?? text.length, edge));
    const own = (value[key] ?? []) as readonly Item[];
    const sample = own[0] ?? this.shape.sampleFor(key);
    const ids = fieldsIn(value[key]).map(({ id }) => Number(id) || 0);
    let next = largestNumber(ids, -1);
    const added = change.spans.map(({ type, start, end }) => {
      const place = [counted(start), counted(end)] as const;
      if (!isObject(sample) || Array.isArray(sample)) return [...place, type];
      const names = Object.hasOwn(sample, 'start')
        ? ['start', 'end']
        : ['start_offset', 'end_offset'];
      const label =
        Object.hasOwn(sample, 'type') && !Object.hasOwn(sample, 'label') ? 'type' : 'label';
      const id = Object.hasOwn(sample, 'id') ? { id: ++next } : {};
      return {
        ...id,
        [label]: type,
        ...Object.fromEntries(names.map((name, at) => [name, place[at]])),
      };
    });
    if (this.treatment === 'annotate') {
      this.#value = { ...value, [key]: [...own, ...added] };
      return;
    }
    const kept = own.map((item) => {
      if (Array.isArray(item)) return [moved(item[0], 'start'), moved(item[1], 'end'), item[2]];
      const span = item as Fields;
      const start = moved(span.start ?? span.start_offset, 'start');
      const end = moved(span.end ?? span.end_offset, 'end');
      const places = { start, start_offset: start, end, end_offset: end };
      return removals.keep(span, {
        ...removals.plain(span, ['id']),
        ...removals.names(span, ['label', 'type']),
        ...Object.fromEntries(Object.entries(places).filter(([name]) => Object.hasOwn(span, name))),
        ...(Object.hasOwn(span, 'text') ? { text: change.after.slice(...utf16(start, end)) } : {}),
      });
    });
    const relations = fieldsIn(value.relations).map((relation) =>
      removals.keep(relation, {
        ...removals.plain(relation, ['id', 'from_id', 'to_id']),
        ...removals.names(relation, ['type']),
      }),
    );
    const isKept = isName(String(value.id ?? '')) || isMarkedNumber(value.id);
    const id = isKept ? { id: value.id } : {};
    this.#value = removals.keep(value, {
      ...id,
      text: change.after,
      [key]: [...kept, ...added],
      ...(Array.isArray(value.relations) ? { relations } : {}),
    });

    function utf16(start: number, end: number): [number, number] {
      const after = offsetsOf(change.after, counting);
      return [after.at(start) ?? 0, after.at(end) ?? 0];
    }
  }

  format(): string {
    const isCrlf = this.line.endsWith('\r');
    return JSON.stringify(this.#value) + (isCrlf ? '\r' : '');
  }
}
