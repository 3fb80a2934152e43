import { type Tagger, tagLong } from '../../../../models/networks/tagger.js';
import { type LabelScheme, mapType } from '../../../../models/text/label-scheme.js';
import { withBound } from '../recognisers/age-bound.js';
import { LEAST_WITH_CONTEXT } from '../recognisers/context.js';
import { joinFindings } from '../recognisers/join-findings.js';
import { measurementsIn, withoutMeasurements } from '../recognisers/measurements.js';
import { findPatterns, recognisersFor } from '../recognisers/recognisers.js';
import { isBroader } from '../recognisers/scheme-types.js';
import { withWeekday } from '../recognisers/weekday.js';
import type { AnalyzeRequest } from './analyze-request.js';
import { CodePoints } from './code-points.js';
import { explainPattern, explainTagger } from './explanation.js';
import type { Explanation, RecognizerResult } from './recognizer-result.js';
import { requireWholeCharacters } from './whole-characters.js';

export interface AnalyzeOptions {
  /** As `TagOptions.threshold`. */
  readonly threshold?: number | undefined;
  /** Types of the model, by Presidio's names, whose scores are lowered, as `low_score_entity_names` of its configuration. */
  readonly lowScored?: readonly string[] | undefined;
  readonly signal?: AbortSignal;
}

/** `low_confidence_score_multiplier` in Presidio's own configurations. */
const LOW_SCORE_FACTOR = 0.4;

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

/** Names of the analyzer for what Presidio's data call otherwise: cities, states and countries are places to it. */
const ANALYZER_NAMES: Readonly<Record<string, string>> = { GPE: 'LOCATION' };

/** The name that Presidio's analyzer has for a type; ours where it has none. */
export function presidioType(type: string, presidio: LabelScheme): string {
  try {
    const known = mapType(type, presidio) ?? type;
    return ANALYZER_NAMES[known] ?? known;
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
  /** What is less sure is left out where it overlaps what is. */
  readonly isSure: boolean;
  readonly explanation: Explanation;
}

interface PatternFound extends Finding {
  /** Words that name the type. */
  readonly context: readonly string[];
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
  const byPatterns = await findByPatterns(text, request, options);
  const measurements = measurementsIn(text);
  const byModel = await findByModel(text, tagger, presidio, measurements, options);
  const found = [...byModel, ...byPatterns].map((finding) => {
    const fitting = refined(finding, text, byPatterns);
    const { entity_type: type, start, end } = fitting;
    const whole = withBound(withWeekday({ type, start, end }, text, measurements), text);
    return { ...fitting, start: whole.start, end: whole.end };
  });
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
  measurements: ReturnType<typeof measurementsIn>,
  options: AnalyzeOptions,
): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const { type, confidence, ...span } of tagLong(text, tagger, options)) {
    const entity_type = presidioType(type, presidio);
    const isLow = options.lowScored?.includes(entity_type) ?? false;
    const score = isLow ? LOW_SCORE_FACTOR * confidence : confidence;
    const isSure = confidence >= LEAST_WITH_CONTEXT;
    const explanation = explainTagger(confidence);
    for (const { start, end } of withoutMeasurements({ type, ...span }, text, measurements))
      found.push({ entity_type, start, end, score, isSure, explanation });
  }
  return found;
}

async function findByPatterns(
  text: string,
  { language, context }: AnalyzeRequest,
  { signal }: AnalyzeOptions,
): Promise<PatternFound[]> {
  const found: PatternFound[] = [];
  const recognisers = recognisersFor([language]);
  const contexts = new Map(recognisers.map(({ name, context: words }) => [name, words]));
  const options = { everywhere: context ?? [], signal };
  for await (const finding of findPatterns(text, recognisers, options)) {
    const { type, start, end, score } = finding;
    const words = contexts.get(finding.recogniser) ?? [];
    const explanation = explainPattern(finding);
    const isSure = score >= LEAST_WITH_CONTEXT;
    found.push({ entity_type: type, start, end, score, isSure, explanation, context: words });
  }
  return found;
}

/** Types whose findings have check digits: what has none that are right is something else. */
const CHECKED = ['CREDIT_CARD', 'IBAN_CODE', 'CRYPTO'];

/**
 * A finding as the patterns that fit it say, guesses apart: what has a broad name, or one whose check digits are wrong, is called as
 * they call it, and a word before a pattern that only names its type (`IP 192.0.2.1`) is no part of it. Nothing else is left out.
 */
function refined(finding: Finding, text: string, patterns: readonly PatternFound[]): Finding {
  const fits = patterns.filter(
    ({ isSure, start, end }) => isSure && start < finding.end && finding.start < end,
  );
  const isUnchecked =
    CHECKED.includes(finding.entity_type) &&
    !fits.some(({ entity_type }) => entity_type === finding.entity_type);
  const named = fits.find(
    ({ entity_type }) => isUnchecked || isBroader(finding.entity_type, entity_type),
  );
  const entity_type = named?.entity_type ?? finding.entity_type;
  const exact = fits.find(
    (fit) =>
      fit.entity_type === entity_type &&
      fit.start > finding.start &&
      fit.end >= finding.end &&
      wordsOf(text.slice(finding.start, fit.start)).every((word) => fit.context.includes(word)),
  );
  return { ...finding, entity_type, start: exact?.start ?? finding.start };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[^\s:=]+/gu) ?? [];
}

/** Findings that overlap as one. An unsure one is left out where it overlaps a sure one. */
function joinOverlaps(found: readonly Finding[]): Finding[] {
  const sure = joinFindings(found.filter(({ isSure }) => isSure));
  const guesses = joinFindings(found.filter(({ isSure }) => !isSure)).filter(
    ({ start, end }) => !sure.some((other) => start < other.end && other.start < end),
  );
  return [...sure, ...guesses]
    .sort((a, b) => a.start - b.start)
    .map(({ start, end, score, speaker }) => ({ ...speaker, start, end, score }));
}
