import { type Tagger, tagLong } from '../../../../models/networks/tagger.js';
import { type LabelScheme, mapType } from '../../../../models/text/label-scheme.js';
import { LEAST_WITH_CONTEXT } from '../recognisers/context.js';
import { joinFindings } from '../recognisers/join-findings.js';
import { findPatterns, recognisersFor } from '../recognisers/recognisers.js';
import type { AnalyzeRequest } from './analyze-request.js';
import { CodePoints } from './code-points.js';
import { explainPattern, explainTagger } from './explanation.js';
import type { Explanation, RecognizerResult } from './recognizer-result.js';
import { requireWholeCharacters } from './whole-characters.js';

export interface AnalyzeOptions {
  /** As `TagOptions.threshold`. */
  readonly threshold?: number | undefined;
  readonly signal?: AbortSignal;
}

/** A list of findings, for a list of texts a list of lists. */
export async function analyze(
  request: AnalyzeRequest,
  tagger: Tagger,
  presidio: LabelScheme,
  options: AnalyzeOptions,
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
  options: AnalyzeOptions,
): Promise<RecognizerResult[]> {
  requireWholeCharacters(text);
  const { entities, score_threshold, return_decision_process } = request;
  const points = new CodePoints(text);
  const found = [
    ...(await findByModel(text, tagger, presidio, options)),
    ...(await findByPatterns(text, request, options)),
  ];
  const isAskedFor = ({ entity_type }: Finding) =>
    !entities || entities.length === 0 || entities.includes(entity_type);
  return joinOverlaps(found.filter(isAskedFor))
    .filter(({ score }) => score >= (score_threshold ?? 0))
    .map(({ entity_type, start, end, score, explanation }) => ({
      analysis_explanation: return_decision_process ? { ...explanation, score } : null,
      end: points.pointsBefore(end),
      entity_type,
      score,
      start: points.pointsBefore(start),
    }));
}

async function findByModel(
  text: string,
  tagger: Tagger,
  presidio: LabelScheme,
  options: AnalyzeOptions,
): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const { type, start, end, confidence } of tagLong(text, tagger, options)) {
    const entity_type = presidioType(type, presidio);
    const explanation = explainTagger(confidence);
    found.push({ entity_type, start, end, score: confidence, explanation });
  }
  return found;
}

async function findByPatterns(
  text: string,
  { language, context }: AnalyzeRequest,
  { signal }: AnalyzeOptions,
): Promise<Finding[]> {
  const found: Finding[] = [];
  const options = { everywhere: context ?? [], signal };
  for await (const finding of findPatterns(text, recognisersFor([language]), options)) {
    const { type, start, end, score } = finding;
    found.push({ entity_type: type, start, end, score, explanation: explainPattern(finding) });
  }
  return found;
}

/** Findings that overlap as one. An unsure one is left out where it overlaps a sure one. */
function joinOverlaps(found: readonly Finding[]): Finding[] {
  const sure = joinFindings(found.filter(({ score }) => score >= LEAST_WITH_CONTEXT));
  const guesses = joinFindings(found.filter(({ score }) => score < LEAST_WITH_CONTEXT)).filter(
    ({ start, end }) => !sure.some((other) => start < other.end && other.start < end),
  );
  return [...sure, ...guesses]
    .sort((a, b) => a.start - b.start)
    .map(({ start, end, score, speaker }) => ({ ...speaker, start, end, score }));
}
