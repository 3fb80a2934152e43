import { recognisersFor } from '../recognisers/recognisers.js';
import type { AnalyzeRequest } from './analyze-request.js';
import { PresidioRefusal } from './presidio-error.js';

/** The model's name among them. */
export const RECOGNIZER = 'TacetRecognizer';

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
