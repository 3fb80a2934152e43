import type { AnalyzeRequest } from './analyze-request.js';
import { CodePoints } from './code-points.js';
import { findPatterns } from './pattern-recognizer.js';
import { compilePattern, DEFAULT_FLAGS } from './python-pattern.js';
import { type RecognizerResult, withoutDuplicates } from './recognizer-result.js';

export interface Refinement {
  readonly request: AnalyzeRequest;
  /** What the model found, a list for each text. */
  readonly found: readonly (readonly RecognizerResult[])[];
}

/** Whether a request asks for more than the model's own findings. */
export function needsRefinement({ ad_hoc_recognizers, allow_list }: AnalyzeRequest): boolean {
  return (ad_hoc_recognizers?.length ?? 0) > 0 || (allow_list?.length ?? 0) > 0;
}

/**
 * The model's findings with those of the request's own recognizers, without what its allow list
 * allows. Takes as long as its patterns take. Throws as `compilePattern` does.
 */
export function refine({ request, found }: Refinement): RecognizerResult[][] {
  const texts = typeof request.text === 'string' ? [request.text] : request.text;
  return texts.map((text, at) => refineText(text, request, found[at] ?? []));
}

function refineText(
  text: string,
  request: AnalyzeRequest,
  found: readonly RecognizerResult[],
): RecognizerResult[] {
  const { language, entities, score_threshold, return_decision_process, context } = request;
  const points = new CodePoints(text);
  const recognizers = (request.ad_hoc_recognizers ?? []).filter(
    ({ supported_language = 'en', supported_entity }) =>
      supported_language === language &&
      (!entities || entities.length === 0 || entities.includes(supported_entity)),
  );
  const added = recognizers.flatMap((each) => findPatterns(text, points, each, context ?? []));
  const isAllowed = allowanceOf(request);
  return withoutDuplicates([...found, ...added])
    .filter(({ score }) => score >= (score_threshold ?? 0))
    .filter(({ start, end }) => !isAllowed(text.slice(points.unitAt(start), points.unitAt(end))))
    .map((result) =>
      return_decision_process ? result : { ...result, analysis_explanation: null },
    );
}

/** Whether the allow list allows a text. */
function allowanceOf({
  allow_list,
  allow_list_match = 'exact',
  regex_flags,
}: AnalyzeRequest): (phi: string) => boolean {
  if (!allow_list || allow_list.length === 0) return () => false;
  if (allow_list_match === 'exact') {
    const allowed = new Set(allow_list);
    return (phi) => allowed.has(phi);
  }
  const flags = regex_flags ?? DEFAULT_FLAGS;
  const expression = compilePattern(allow_list.join('|'), flags, 'the allow list');
  return (phi) => phi.search(expression) >= 0;
}
