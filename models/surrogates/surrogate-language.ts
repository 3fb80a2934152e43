export const SURROGATE_LANGUAGES = ['en', 'es'] as const;

export type SurrogateLanguage = (typeof SURROGATE_LANGUAGES)[number];

/** The language of surrogates for texts in one (BCP 47), `es` for `es-MX`; undefined where there are none. */
export function surrogateLanguageOf(language: string): SurrogateLanguage | undefined {
  return SURROGATE_LANGUAGES.find((each) => each === baseOf(language));
}

/** `es` of `es-MX`. */
export function baseOf(language: string): string {
  return language.toLowerCase().split(/[-_]/)[0] ?? '';
}
