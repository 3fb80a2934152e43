import { TacetError } from '../../../proto/errors.js';
import { jsonCheck } from '../../../proto/json-check.js';
import { parseJsonText } from '../../../proto/json-text.js';
import { spansOfLine } from './json-spans.js';
import type { RawDocument } from './raw-document.js';
import { decodeUtf8, isBlank, type Line, tooLarge } from './read-bytes.js';

/** A line of JSONL, its spans aside. */
interface JsonlDocument {
  readonly text: string;
  readonly id?: string | number;
  /** Where robust-deid keeps the identifier of a note. */
  readonly meta?: { readonly note_id?: string | number };
}

const ID = { type: ['string', 'number'] };

const validate = jsonCheck<JsonlDocument>(
  {
    type: 'object',
    required: ['text'],
    properties: {
      text: { type: 'string' },
      id: ID,
      meta: { type: 'object', properties: { note_id: ID } },
    },
  },
  { allowUnionTypes: true },
);

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

/** Parses one line, whose offsets count code points; `corpus-invalid` names the field that is wrong. */
export function parseJsonlDocument(line: string, defaultId: string, origin: string): RawDocument {
  const value = parseLine(line, origin);
  if (!validate(value)) {
    const [error] = validate.errors;
    const field = error?.instancePath || 'the line';
    throw invalid(origin, `${field} ${error?.message ?? 'is malformed'}`);
  }
  const stated = spansOfLine(value as unknown as Readonly<Record<string, unknown>>);
  if ('problem' in stated) throw invalid(origin, stated.problem);
  const id = String(value.id ?? value.meta?.note_id ?? defaultId);
  return { id, text: value.text, ...stated, origin };
}

/** The engine's own message quotes the line, which holds PHI. */
function parseLine(line: string, origin: string): unknown {
  try {
    return parseJsonText(line);
  } catch {
    throw invalid(origin, 'expected a JSON object {"text", "spans", "id"} on one line');
  }
}

function invalid(origin: string, problem: string): TacetError {
  return new TacetError('corpus-invalid', `${origin}: ${problem}`);
}
