import { InvalidArgumentError } from 'commander';

/** The manifest's rules, checked before a run of hours rather than after it. */
const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
/** No language is registered under a longer name. */
const LANGUAGE = /^[a-z]{2,3}$/;
const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}$/;

/** Parses an option that is to name a bundle. */
export function bundleName(value: string): string {
  if (NAME.test(value)) return value;
  throw new InvalidArgumentError('Expected lower case letters, digits and hyphens, 63 at most.');
}

/** Parses an option that is to be a language by BCP 47. */
export function languageTag(value: string): string {
  try {
    const locale = new Intl.Locale(value);
    if (LANGUAGE.test(locale.language)) return locale.toString();
  } catch {
    // No tag at all.
  }
  throw new InvalidArgumentError('Expected a language by BCP 47, such as es or en-GB.');
}

/** Parses an option that is to be a bundle's version. */
export function bundleVersion(value: string): string {
  if (VERSION.test(value)) return value;
  throw new InvalidArgumentError('Expected major.minor.patch, such as 1.0.0.');
}
