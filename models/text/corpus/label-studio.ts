import { TacetError } from '../../../proto/errors.js';
import { jsonCheck } from '../../../proto/json-check.js';
import { jsonIn } from '../../../proto/json-text.js';
import { checkedValue } from './checked-json.js';
import { isMinItem, type MinItem, minTextKey, regionsOf } from './label-studio-min.js';
import type { RawDocument, RawSpan } from './raw-document.js';
import { decodeUtf8, type Line, tooLarge } from './read-bytes.js';
import type { Remark, RemarkCounts } from './remarks.js';

/** A region or another answer of an annotator, or of a model. */
export interface Result {
  readonly type: string;
  readonly id?: string;
  readonly from_name?: string;
  readonly to_name?: string;
  readonly value?: {
    readonly start?: number | string;
    readonly end?: number | string;
    readonly text?: string;
    readonly labels?: readonly string[];
  };
}

export interface ResultList {
  readonly result: readonly Result[];
  readonly was_cancelled?: boolean;
  readonly ground_truth?: boolean;
}

/** A task as Label Studio exports it, and takes it in. */
export interface Task {
  readonly id?: number | string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly annotations?: readonly ResultList[];
  /** What `annotations` were called before Label Studio 1.0. */
  readonly completions?: readonly ResultList[];
  /** Exports may have their numbers alone. */
  readonly predictions?: readonly (ResultList | number)[];
}

const OFFSET = { type: ['integer', 'string'], minimum: 0, pattern: '^[0-9]{1,10}$' };
const LABELS = { type: 'array', items: { type: 'string' } };
const RESULTS = {
  type: 'array',
  items: {
    type: 'object',
    required: ['result'],
    properties: {
      result: {
        type: 'array',
        items: {
          type: 'object',
          required: ['type'],
          properties: {
            type: { type: 'string' },
            id: { type: 'string' },
            from_name: { type: 'string' },
            to_name: { type: 'string' },
            value: {
              type: 'object',
              properties: {
                text: { type: ['string', 'array'] },
                labels: LABELS,
              },
            },
          },
        },
      },
      was_cancelled: { type: 'boolean' },
      ground_truth: { type: 'boolean' },
    },
  },
};

const TASK = {
  type: 'object',
  required: ['data'],
  properties: {
    id: { type: ['integer', 'string'] },
    data: { type: 'object' },
    annotations: RESULTS,
    completions: RESULTS,
    predictions: { ...RESULTS, items: { anyOf: [{ type: 'integer' }, RESULTS.items] } },
  },
};
const isTask = jsonCheck<Task>(TASK, { allowUnionTypes: true });

/** What a region of a text says. */
const isRegion = jsonCheck(
  {
    type: 'object',
    required: ['start', 'end', 'labels'],
    properties: { start: OFFSET, end: OFFSET, text: { type: 'string' }, labels: LABELS },
  },
  { allowUnionTypes: true },
);

const EXPECTED =
  'a task of Label Studio, {"data": {"text"}, "annotations" or "predictions": [{"result"}]}';

/** Answers that mark no place in a text. */
const OTHER_RESULTS: Readonly<Record<string, Remark>> = {
  relation: 'relations',
  choices: 'attributes',
  taxonomy: 'attributes',
  rating: 'attributes',
  number: 'attributes',
  datetime: 'attributes',
  pairwise: 'attributes',
  textarea: 'notes',
};

/**
 * The tasks of a JSON array, or the items of JSON_MIN, one call a task. A task's spans are those of its annotation, or of the one
 * that is marked as ground truth; where nobody annotated it, those of its prediction. Offsets count code
 * points, in files of before 1.5 UTF-16 units, which the regions' texts tell.
 */
export async function* parseLabelStudio(
  elements: AsyncIterable<Line>,
  path: string,
  name: string,
): AsyncGenerator<() => RawDocument> {
  for await (const { number, bytes } of elements) {
    const origin = taskOrigin(path, number);
    yield () => {
      if (bytes === undefined) throw tooLarge(origin);
      return parseTask(decodeUtf8(bytes, origin), `${name}-${number}`, origin);
    };
  }
}

/** All tasks of a file, as it has them, or items of JSON_MIN; `isOne` where no list is around it. */
export interface TaskFile {
  readonly tasks: readonly (Task | MinItem)[];
  readonly isOne: boolean;
}

/** Throws `corpus-invalid`. */
export function parseTasks(json: string, origin: string): TaskFile {
  const value = jsonIn(json);
  const isOne = !Array.isArray(value);
  const tasks = (isOne ? [value] : value).map((each, index) =>
    isMinItem(each) ? each : checkedValue(each, isTask, taskOrigin(origin, index + 1), EXPECTED),
  );
  return { tasks, isOne };
}

/** Where in a file a task stands, counted from 1. */
export function taskOrigin(origin: string, number: number): string {
  return `${origin}: task ${number}`;
}

/** A document of an item of JSON_MIN, its regions as spans. Throws `corpus-invalid`. */
export function minDocument(item: MinItem, defaultId: string, origin: string): RawDocument {
  const spans = regionsOf(item).flatMap((value, index) =>
    regionSpans({ type: 'labels', value }, `region ${index + 1}`, origin),
  );
  const text = item[minTextKey(item, origin)] as string;
  return { id: idOf({ id: item.id, data: {} } as Task, defaultId), text, spans, origin };
}

/** The regions among answers. Throws `corpus-invalid` for answers that mark something that is not read. */
export function regionsAmong(results: readonly Result[], origin: string): RawSpan[] {
  return results.flatMap((result, index) =>
    OTHER_RESULTS[result.type] === undefined
      ? regionSpans(result, `answer ${index + 1}`, origin)
      : [],
  );
}

/** Parses one task. Throws `corpus-invalid` with the place of what is wrong as a JSON pointer. */
function parseTask(json: string, defaultId: string, origin: string): RawDocument {
  const value = jsonIn(json);
  if (isMinItem(value)) return minDocument(value, defaultId, origin);
  const task = checkedValue(value, isTask, origin, EXPECTED);
  const stated = statedResults(task, origin);
  const textKey = textKeyOf(task, stated?.results ?? [], origin);
  const remarks: RemarkCounts = {};
  const spans: RawSpan[] = [];
  for (const [index, result] of (stated?.results ?? []).entries()) {
    const place = `${stated?.pointer}/${index}`;
    const other = OTHER_RESULTS[result.type];
    if (other !== undefined) remarks[other] = (remarks[other] ?? 0) + 1;
    else spans.push(...regionSpans(result, place, origin));
  }
  return {
    id: idOf(task, defaultId),
    text: task.data[textKey] as string,
    spans,
    // What a model predicted is nobody's word that there is no more.
    isPlain: stated === undefined || stated.isPredicted,
    origin,
    remarks,
  };
}

function idOf({ id, data }: Task, otherwise: string): string {
  const own = [data.id, data.note_id, id].find(
    (each) => typeof each === 'string' || typeof each === 'number',
  );
  return String(own ?? otherwise);
}

/** The answers that count; undefined where nobody gave any. */
function statedResults(
  task: Task,
  origin: string,
): { results: readonly Result[]; pointer: string; isPredicted: boolean } | undefined {
  for (const key of ['annotations', 'completions', 'predictions'] as const) {
    const given = (task[key] ?? []).flatMap((list, index) =>
      typeof list === 'number' ? [] : [{ list, index }],
    );
    const kept = given.filter(({ list }) => list.was_cancelled !== true);
    const truths = kept.filter(({ list }) => list.ground_truth === true);
    const [first, another] = truths.length > 0 ? truths : kept;
    if (first === undefined) continue;
    if (another !== undefined)
      throw invalid(
        origin,
        `/${key} has several answers; expected one, or one that is marked as ground truth`,
      );
    return {
      results: first.list.result,
      pointer: `/${key}/${first.index}/result`,
      isPredicted: key === 'predictions',
    };
  }
  return undefined;
}

/** The key of `data` with the text: the one that regions name, `text`, or the only one with a string. */
export function textKeyOf({ data }: Task, results: readonly Result[], origin: string): string {
  const strings = Object.keys(data).filter((key) => typeof data[key] === 'string');
  const named = results.find(
    ({ type, to_name }) => type === 'labels' && to_name !== undefined && strings.includes(to_name),
  );
  if (named?.to_name !== undefined) return named.to_name;
  if (strings.includes('text')) return 'text';
  const [only, another] = strings;
  if (only !== undefined && another === undefined) return only;
  throw invalid(origin, '/data does not say which of its values is the text; expected "text"');
}

function regionSpans({ type, value }: Result, place: string, origin: string): RawSpan[] {
  if (type !== 'labels')
    throw invalid(
      origin,
      `${place} marks something that is not read; expected regions of type "labels" in plain text`,
    );
  if (!isRegion(value)) {
    const [error] = isRegion.errors;
    throw invalid(
      origin,
      `${place}/value${error?.instancePath ?? ''} ${error?.message ?? 'is malformed'}; ` +
        'expected {"start", "end", "text", "labels"}',
    );
  }
  const { start, end, text, labels = [] } = value as NonNullable<Result['value']>;
  if (labels.length !== 1)
    throw invalid(origin, `${place}/value/labels holds ${labels.length} labels; expected one`);
  return labels.map((label) => ({
    type: label,
    start: Number(start),
    end: Number(end),
    ...(text === undefined ? {} : { text }),
    place,
  }));
}

function invalid(origin: string, problem: string): TacetError {
  return new TacetError('corpus-invalid', `${origin}: ${problem}`);
}
