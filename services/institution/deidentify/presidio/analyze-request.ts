import { SHARE } from '../../../../proto/schemas.js';
import { Type } from '../../../../proto/typebox.js';
import { nullable, ofType, oneOf, type TypeOf } from '../../../../proto/typed-schema.js';
import { type Validator, validator } from '../../../../proto/validator.js';
import { PATTERN_RECOGNIZER } from './pattern-recognizer.js';
import { PresidioRefusal } from './presidio-error.js';

const WORDS = nullable(
  Type.Array(Type.String({ minLength: 1, maxLength: 5000 }), { maxItems: 10_000 }),
);

const ANALYZE_REQUEST = Type.Object({
  text: Type.Unsafe<string | string[]>({
    oneOf: [
      Type.String({ minLength: 1 }),
      Type.Array(Type.String(), { minItems: 1, maxItems: 1000 }),
    ],
  }),
  language: Type.String({ minLength: 1, maxLength: 64 }),
  score_threshold: Type.Optional(nullable(SHARE)),
  entities: Type.Optional(nullable(Type.Array(Type.String(), { maxItems: 200 }))),
  /** True as Python has it: `0`, `""` and `null` are not. */
  return_decision_process: Type.Optional(nullable(ofType('boolean', 'number', 'string'))),
  ad_hoc_recognizers: Type.Optional(nullable(Type.Array(PATTERN_RECOGNIZER, { maxItems: 100 }))),
  /** Words that count as standing before every finding. */
  context: Type.Optional(WORDS),
  /** What is no finding, as words or as regular expressions. */
  allow_list: Type.Optional(WORDS),
  allow_list_match: Type.Optional(oneOf(['exact', 'regex'])),
  /** Of the allow list, as Python's `re` counts them. */
  regex_flags: Type.Optional(nullable(Type.Integer())),
});

/** Presidio's request to `POST /analyze`. */
export type AnalyzeRequest = TypeOf<typeof ANALYZE_REQUEST>;

const checkRequest = validator(ANALYZE_REQUEST, 'request-invalid', 'the request');

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
