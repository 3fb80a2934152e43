import { Ajv } from 'ajv';
import { TacetError } from '../../../proto/errors.js';
import type { RawDocument } from './raw-document.js';
import { decodeUtf8, isBlank, type Line, tooLarge } from './read-bytes.js';

/** A line of JSONL. Offsets count code points; tools that write them as strings are understood. */
interface JsonlDocument {
  readonly text: string;
  readonly id?: string | number;
  readonly spans?: readonly {
    readonly start: number | string;
    readonly end: number | string;
    readonly label: string;
    readonly text?: string;
  }[];
  /** Where robust-deid keeps the identifier of a note. */
  readonly meta?: { readonly note_id?: string | number };
}

const ID = { type: ['string', 'number'] };
const OFFSET = { type: ['integer', 'string'], minimum: 0, pattern: '^[0-9]{1,10}$' };

const validate = new Ajv({ allowUnionTypes: true }).compile<JsonlDocument>({
  type: 'object',
  required: ['text'],
  properties: {
    text: { type: 'string' },
    id: ID,
    spans: {
      type: 'array',
      items: {
        type: 'object',
        required: ['start', 'end', 'label'],
        properties: {
          start: OFFSET,
          end: OFFSET,
          label: { type: 'string' },
          text: { type: 'string' },
        },
      },
    },
    meta: { type: 'object', properties: { note_id: ID } },
  },
});

/**
 * The documents of a JSON lines file, one call a line, so that the caller may go on after a bad one.
 * An id that a line lacks is the file's name and the line number. Blank lines are skipped.
 */
export async function* parseJsonl(
  lines: AsyncIterable<Line>,
  path: string,
  name: string,
): AsyncGenerator<() => RawDocument> {
  for await (const { number, bytes } of lines) {
    const origin = `${path}:${number}`;
    if (bytes === undefined) {
      yield () => {
        throw tooLarge(origin);
      };
    } else if (!isBlank(bytes)) {
      yield () => parseJsonlDocument(decodeUtf8(bytes, origin), `${name}-${number}`, origin);
    }
  }
}

/** Parses one line; `corpus-invalid` names the field that is wrong. */
export function parseJsonlDocument(line: string, defaultId: string, origin: string): RawDocument {
  const value = parseJson(line, origin);
  if (!validate(value)) {
    const [error] = validate.errors ?? [];
    const field = error?.instancePath || 'the line';
    throw invalid(origin, `${field} ${error?.message ?? 'is malformed'}`);
  }
  const spans = (value.spans ?? []).map(({ start, end, label, text }, index) => ({
    type: label,
    start: Number(start),
    end: Number(end),
    ...(text === undefined ? {} : { text }),
    place: `span ${index + 1}`,
  }));
  const id = String(value.id ?? value.meta?.note_id ?? defaultId);
  const isPlain = value.spans === undefined;
  return { id, text: value.text, spans, isPlain, origin };
}

/** The engine's own message quotes the line, which holds PHI. */
function parseJson(line: string, origin: string): unknown {
  try {
    return JSON.parse(line.replace(/^\ufeff/, ''));
  } catch {
    throw invalid(origin, 'expected a JSON object {"text", "spans", "id"} on one line');
  }
}

function invalid(origin: string, problem: string): TacetError {
  return new TacetError('corpus-invalid', `${origin}: ${problem}`);
}
