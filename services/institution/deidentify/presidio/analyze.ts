import { type Tagger, tagLong } from '../../../../models/networks/tagger.js';
import { type LabelScheme, mapType } from '../../../../models/text/label-scheme.js';
import { type Validator, validator } from '../../../../proto/validator.js';
import { LEAST_WITH_CONTEXT } from '../recognisers/context.js';
import { joinFindings } from '../recognisers/join-findings.js';
import { findPatterns, type PatternFinding, recognisersFor } from '../recognisers/recognisers.js';
import { CodePoints } from './code-points.js';
import { PATTERN_RECOGNIZER_SCHEMA, type PatternRecognizer } from './pattern-recognizer.js';
import { PresidioRefusal } from './presidio-error.js';
import type { Explanation, RecognizerResult } from './recognizer-result.js';
import { requireWholeCharacters } from './whole-characters.js';

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

/** What is found by its shape in texts of the languages, by Presidio's names. */
export function patternTypes(languages: readonly string[]): string[] {
  return recognisersFor(languages).map(({ type }) => type);
}

/** What the analyzer finds PHI with in texts of the languages. */
export function recognizerNames(languages: readonly string[]): string[] {
  return [RECOGNIZER, ...recognisersFor(languages).map(({ name }) => name)];
}

/** Throws, with Presidio's words, where nothing here reads a language. */
export function requireLanguage(language: string, languages: readonly string[]): void {
  if (!languages.includes(language)) throw noRecognizer();
}

function noRecognizer(): PresidioRefusal {
  return new PresidioRefusal('No matching recognizers were found to serve the request.', 500);
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

/** A finding of the model or of a recogniser, in UTF-16 offsets. */
interface Finding {
  readonly entity_type: string;
  readonly start: number;
  readonly end: number;
  readonly score: number;
  readonly explanation: Explanation;
}

async function analyzeText(
  text: string,
  request: AnalyzeRequest,
  tagger: Tagger,
  presidio: LabelScheme,
  options: { readonly threshold?: number | undefined; readonly signal?: AbortSignal },
): Promise<RecognizerResult[]> {
  requireWholeCharacters(text);
  const { language, entities, score_threshold, return_decision_process, context } = request;
  const points = new CodePoints(text);
  const isAskedFor = (type: string) =>
    !entities || entities.length === 0 || entities.includes(type);
  const found: Finding[] = [];
  for await (const { type, start, end, confidence } of tagLong(text, tagger, options)) {
    const entity_type = presidioType(type, presidio);
    const explanation = explainTagger(confidence);
    found.push({ entity_type, start, end, score: confidence, explanation });
  }
  const { signal } = options;
  const wanted = { everywhere: context ?? [], signal };
  for await (const finding of findPatterns(text, recognisersFor([language]), wanted)) {
    const { type, start, end, score } = finding;
    found.push({ entity_type: type, start, end, score, explanation: explainPattern(finding) });
  }
  return joined(found.filter(({ entity_type }) => isAskedFor(entity_type)))
    .filter(({ score }) => score >= (score_threshold ?? 0))
    .map(({ entity_type, start, end, score, explanation }) => ({
      analysis_explanation: return_decision_process ? { ...explanation, score } : null,
      end: points.pointsBefore(end),
      entity_type,
      score,
      start: points.pointsBefore(start),
    }));
}

/** Findings that overlap as one; a guess where nothing else was found stands for itself, elsewhere for nothing. */
function joined(found: readonly Finding[]): Finding[] {
  const sure = joinFindings(found.filter(({ score }) => score >= LEAST_WITH_CONTEXT));
  const guesses = joinFindings(found.filter(({ score }) => score < LEAST_WITH_CONTEXT)).filter(
    ({ start, end }) => !sure.some((other) => start < other.end && other.start < end),
  );
  return [...sure, ...guesses]
    .sort((a, b) => a.start - b.start)
    .map(({ start, end, score, speaker }) => ({ ...speaker, start, end, score }));
}

function explainTagger(score: number): Explanation {
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

function explainPattern(finding: PatternFinding): Explanation {
  const { recogniser, pattern, score, originalScore, supportiveWord } = finding;
  return {
    recognizer: recogniser,
    pattern_name: pattern,
    pattern: null,
    original_score: originalScore,
    score,
    textual_explanation: null,
    score_context_improvement: score - originalScore,
    supportive_context_word: supportiveWord ?? '',
    validation_result: null,
  };
}
