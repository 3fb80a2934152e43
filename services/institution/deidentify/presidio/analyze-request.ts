import { type Validator, validator } from '../../../../proto/validator.js';
import { PATTERN_RECOGNIZER_SCHEMA, type PatternRecognizer } from './pattern-recognizer.js';
import { PresidioRefusal } from './presidio-error.js';

/** Presidio's request to `POST /analyze`. */
export interface AnalyzeRequest {
  readonly text: string | readonly string[];
  readonly language: string;
  readonly score_threshold?: number | null;
  readonly entities?: readonly string[] | null;
  /** True as Python has it: `0`, `""` and `null` are not. */
  readonly return_decision_process?: boolean | number | string | null;
  readonly ad_hoc_recognizers?: readonly PatternRecognizer[] | null;
  /** Words that count as standing before every finding. */
  readonly context?: readonly string[] | null;
  /** What is no finding, as words or as regular expressions. */
  readonly allow_list?: readonly string[] | null;
  readonly allow_list_match?: 'exact' | 'regex';
  /** Of the allow list, as Python's `re` counts them. */
  readonly regex_flags?: number | null;
}

const WORDS = {
  type: 'array',
  nullable: true,
  maxItems: 10_000,
  items: { type: 'string', minLength: 1, maxLength: 5000 },
} as const;

const checkRequest = validator<AnalyzeRequest>(
  {
    type: 'object',
    required: ['text', 'language'],
    properties: {
      text: {
        oneOf: [
          { type: 'string', minLength: 1 },
          { type: 'array', minItems: 1, maxItems: 1000, items: { type: 'string' } },
        ],
      },
      language: { type: 'string', minLength: 1, maxLength: 64 },
      score_threshold: { type: 'number', minimum: 0, maximum: 1, nullable: true },
      entities: { type: 'array', maxItems: 200, items: { type: 'string' }, nullable: true },
      return_decision_process: { type: ['boolean', 'number', 'string'], nullable: true },
      ad_hoc_recognizers: {
        type: 'array',
        nullable: true,
        maxItems: 100,
        items: PATTERN_RECOGNIZER_SCHEMA,
      },
      context: WORDS,
      allow_list: WORDS,
      allow_list_match: { type: 'string', enum: ['exact', 'regex'] },
      regex_flags: { type: 'integer', nullable: true },
    },
  },
  'request-invalid',
  'the request',
);

/** Presidio's clients send more than the schema has, which is for its logs alone. */
export const parseAnalyzeRequest: Validator<AnalyzeRequest> = Object.assign(
  (value: unknown) => {
    const { text, language } = (value ?? {}) as { text?: unknown; language?: unknown };
    if (!text || (Array.isArray(text) && text.length === 0))
      throw new PresidioRefusal('No text provided', 500);
    if (!language) throw new PresidioRefusal('No language provided', 500);
    requireKnownKeywords((value as Partial<AnalyzeRequest>).ad_hoc_recognizers);
    return checkRequest(value);
  },
  { schema: checkRequest.schema },
);

const PATTERN_KEYWORDS = ['name', 'regex', 'score'];

/** Throws, with Presidio's words, for a pattern with a keyword that none has. */
function requireKnownKeywords(recognizers: AnalyzeRequest['ad_hoc_recognizers']): void {
  if (!Array.isArray(recognizers)) return;
  for (const recognizer of recognizers) {
    const patterns: unknown = recognizer?.patterns;
    if (!Array.isArray(patterns)) continue;
    for (const keyword of patterns.flatMap((pattern) => Object.keys(pattern ?? {}))) {
      if (PATTERN_KEYWORDS.includes(keyword)) continue;
      const named = /^\w{1,64}$/.test(keyword) ? `'${keyword}'` : 'that is no name';
      throw new PresidioRefusal(
        'Failed to parse /analyze request for AnalyzerEngine.analyze(). ' +
          `Pattern.__init__() got an unexpected keyword argument ${named}`,
        400,
      );
    }
  }
}
