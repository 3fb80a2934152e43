import { TacetError } from '../../../proto/errors.js';
import { jsonCheck } from '../../../proto/json-check.js';
import { parseJsonText } from '../../../proto/json-text.js';
import type { RawDocument } from './raw-document.js';
import { decodeUtf8, type Line, tooLarge } from './read-bytes.js';
import { templateDocumentId } from './template-id.js';

/** A sentence of presidio-research's data sets. Offsets count code points. */
interface PresidioSample {
  readonly full_text: string;
  readonly spans: readonly {
    readonly entity_type: string;
    readonly entity_value?: string;
    readonly start_position: number;
    readonly end_position: number;
  }[];
  readonly template_id?: number | string | null;
}

const OFFSET = { type: 'integer', minimum: 0 };

const validate = jsonCheck<PresidioSample>(
  {
    type: 'object',
    required: ['full_text', 'spans'],
    properties: {
      full_text: { type: 'string' },
      spans: {
        type: 'array',
        items: {
          type: 'object',
          required: ['entity_type', 'start_position', 'end_position'],
          properties: {
            entity_type: { type: 'string' },
            entity_value: { type: 'string' },
            start_position: OFFSET,
            end_position: OFFSET,
          },
        },
      },
      template_id: { type: ['integer', 'string', 'null'] },
    },
  },
  { allowUnionTypes: true },
);

/**
 * The samples of a JSON array, one call a sample. An id says the template (`templateDocumentId`), because
 * samples of one template differ in their names alone: a split must not part them.
 */
export async function* parsePresidio(
  elements: AsyncIterable<Line>,
  path: string,
): AsyncGenerator<() => RawDocument> {
  for await (const { number, bytes } of elements) {
    const origin = `${path}: element ${number}`;
    yield () => {
      if (bytes === undefined) throw tooLarge(origin);
      return parseSample(decodeUtf8(bytes, origin), number, origin);
    };
  }
}

function parseSample(json: string, number: number, origin: string): RawDocument {
  const invalid = (problem: string) => new TacetError('corpus-invalid', `${origin}: ${problem}`);
  let value: unknown;
  try {
    value = parseJsonText(json);
  } catch {
    // The engine's own message quotes the element, which holds PHI.
    throw invalid('expected a JSON object {"full_text", "spans", "template_id"}');
  }
  if (!validate(value)) {
    const [error] = validate.errors;
    throw invalid(`${error?.instancePath || 'the element'} ${error?.message ?? 'is malformed'}`);
  }
  const spans = value.spans.map((span, index) => ({
    type: span.entity_type,
    start: span.start_position,
    end: span.end_position,
    ...(span.entity_value === undefined ? {} : { text: span.entity_value }),
    place: `span ${index + 1}`,
  }));
  const id = templateDocumentId(value.template_id ?? null, number);
  return { id, text: value.full_text, spans, origin };
}
