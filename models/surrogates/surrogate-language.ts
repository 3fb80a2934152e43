export const SURROGATE_LANGUAGES = ['en', 'es'] as const;

export type SurrogateLanguage = (typeof SURROGATE_LANGUAGES)[number];

/** One of these, or of a region: `en-GB`. */
export type SurrogateLocale = SurrogateLanguage | `${SurrogateLanguage}-${string}`;

const MONTH_FIRST: ReadonlySet<SurrogateLocale> = new Set(['en', 'en-US', 'en-PH'] as const);

/** The language of surrogates for texts in one (BCP 47), `es` for `es-MX`; undefined where there are none. */
export function surrogateLanguageOf(language: string): SurrogateLanguage | undefined {
  return SURROGATE_LANGUAGES.find((each) => each === baseOf(language));
}

/** The same with its region, where the language has one: `en-GB` for `en-gb`, `es-MX`. */
export function surrogateLocaleOf(language: string): SurrogateLocale | undefined {
  const base = surrogateLanguageOf(language);
  const region = language.split(/[-_]/).slice(1).find(isRegion)?.toUpperCase();
  return base === undefined || region === undefined ? base : `${base}-${region}`;
}

export function languageOfLocale(locale: SurrogateLocale): SurrogateLanguage {
  return baseOf(locale) as SurrogateLanguage;
}

/** Whether its readers take `03/05/2018` for the 3rd of May. */
export function isDayFirst(locale: SurrogateLocale): boolean {
  return !MONTH_FIRST.has(locale);
}

/** `es` of `es-MX`. */
export function baseOf(language: string): string {
  return language.toLowerCase().split(/[-_]/)[0] ?? '';
}

function isRegion(part: string): boolean {
  return /^(?:[a-z]{2}|\d{3})$/i.test(part);
}
