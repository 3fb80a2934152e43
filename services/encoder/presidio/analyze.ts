import { type Tagger, tagLong } from '../../../models/networks/tagger.js';
import { type LabelScheme, mapType } from '../../../models/text/label-scheme.js';
import { type Validator, validator } from '../../../proto/validator.js';
import { CodePoints } from './code-points.js';
import { PATTERN_RECOGNIZER_SCHEMA, type PatternRecognizer } from './pattern-recognizer.js';
import { AnalyzerRefusal } from './presidio-error.js';
import type { Explanation, RecognizerResult } from './recognizer-result.js';

/** Presidio's request to `POST /analyze`; of its own recognizers, this model is the only one here. */
export interface AnalyzeRequest {
  readonly text: string | readonly string[];
  readonly language: string;
  readonly score_threshold?: number | null;
  readonly entities?: readonly string[] | null;
  readonly return_decision_process?: boolean | null;
  readonly ad_hoc_recognizers?: readonly PatternRecognizer[] | null;
  /** Words that count as standing before every finding. */
  readonly context?: readonly string[] | null;
  /** What is no finding, as words or as regular expressions. */
  readonly allow_list?: readonly string[] | null;
  readonly allow_list_match?: 'exact' | 'regex';
  /** Of the allow list, as Python's `re` counts them. */
  readonly regex_flags?: number | null;
}

export const RECOGNIZER = 'TacetRecognizer';

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
      return_decision_process: { type: 'boolean', nullable: true },
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
      throw new AnalyzerRefusal('No text provided');
    if (!language) throw new AnalyzerRefusal('No language provided');
    return checkRequest(value);
  },
  { schema: checkRequest.schema },
);

/** Throws, with Presidio's words, where nothing could find what a request asks for. */
export function requireRecognizer(
  { language, entities, ad_hoc_recognizers }: AnalyzeRequest,
  types: readonly string[],
  languages: readonly string[],
): void {
  requireLanguage(language, languages);
  if (!entities || entities.length === 0) return;
  const added = (ad_hoc_recognizers ?? [])
    .filter(({ supported_language = 'en' }) => supported_language === language)
    .map(({ supported_entity }) => supported_entity);
  if (entities.some((type) => types.includes(type) || added.includes(type))) return;
  throw noRecognizer();
}

/** Throws, with Presidio's words, where nothing here reads a language. */
export function requireLanguage(language: string, languages: readonly string[]): void {
  if (!languages.includes(language)) throw noRecognizer();
}

function noRecognizer(): AnalyzerRefusal {
  return new AnalyzerRefusal('No matching recognizers were found to serve the request.');
}

/** A list of findings, for a list of texts a list of lists. */
export async function analyze(
  request: AnalyzeRequest,
  tagger: Tagger,
  presidio: LabelScheme,
  options: { readonly threshold?: number | undefined; readonly signal?: AbortSignal },
): Promise<RecognizerResult[] | RecognizerResult[][]> {
  const one = (text: string) => analyzeText(text, request, tagger, presidio, options);
  if (typeof request.text === 'string') return one(request.text);
  const all: RecognizerResult[][] = [];
  for (const text of request.text) all.push(await one(text));
  return all;
}

/** The name that Presidio has for a type; ours where it has none. */
export function presidioType(type: string, presidio: LabelScheme): string {
  try {
    return mapType(type, presidio) ?? type;
  } catch {
    return type;
  }
}

async function analyzeText(
  text: string,
  { score_threshold, entities, return_decision_process }: AnalyzeRequest,
  tagger: Tagger,
  presidio: LabelScheme,
  options: { readonly threshold?: number | undefined; readonly signal?: AbortSignal },
): Promise<RecognizerResult[]> {
  const points = new CodePoints(text);
  const results: RecognizerResult[] = [];
  for await (const { type, start, end, confidence: score } of tagLong(text, tagger, options)) {
    const entity_type = presidioType(type, presidio);
    if (score < (score_threshold ?? 0)) continue;
    if (entities && entities.length > 0 && !entities.includes(entity_type)) continue;
    results.push({
      analysis_explanation: return_decision_process ? explain(score) : null,
      end: points.pointsBefore(end),
      entity_type,
      score,
      start: points.pointsBefore(start),
    });
  }
  return results;
}

function explain(score: number): Explanation {
  return {
    recognizer: RECOGNIZER,
    pattern_name: null,
    pattern: null,
    original_score: score,
    score,
    textual_explanation: 'the least posterior of the type over the tokens',
    score_context_improvement: 0,
    supportive_context_word: '',
    validation_result: null,
  };
}
