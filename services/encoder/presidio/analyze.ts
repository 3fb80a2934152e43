import { type Tagger, tagLong } from '../../../models/networks/tagger.js';
import { type LabelScheme, mapType } from '../../../models/text/label-scheme.js';
import { validator } from '../../../proto/validator.js';
import { CodePoints } from './code-points.js';

/** Presidio's request to `POST /analyze`; of its recognizers, this model is the only one here. */
export interface AnalyzeRequest {
  readonly text: string | readonly string[];
  readonly language: string;
  readonly score_threshold?: number | null;
  readonly entities?: readonly string[] | null;
  readonly return_decision_process?: boolean | null;
}

/** One finding, with offsets in code points. */
export interface RecognizerResult {
  readonly analysis_explanation: Explanation | null;
  readonly end: number;
  readonly entity_type: string;
  readonly score: number;
  readonly start: number;
}

interface Explanation {
  readonly recognizer: string;
  readonly pattern_name: null;
  readonly pattern: null;
  readonly original_score: number;
  readonly score: number;
  readonly textual_explanation: string;
  readonly score_context_improvement: 0;
  readonly supportive_context_word: '';
  readonly validation_result: null;
}

const RECOGNIZER = 'TacetRecognizer';

/** Presidio's clients send more than this; what is not here has no meaning for a trained model. */
export const parseAnalyzeRequest = validator<AnalyzeRequest>(
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
      language: { type: 'string', minLength: 2, maxLength: 8 },
      score_threshold: { type: 'number', minimum: 0, maximum: 1, nullable: true },
      entities: { type: 'array', maxItems: 200, items: { type: 'string' }, nullable: true },
      return_decision_process: { type: 'boolean', nullable: true },
    },
  },
  'request-invalid',
  'the request',
);

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
