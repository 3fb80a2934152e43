import { TacetError } from '../../proto/errors.js';

/**
 * The time that what is made says of itself, in seconds since 1970, for who makes it again byte for byte:
 * https://reproducible-builds.org/specs/source-date-epoch/. Throws `config-invalid`.
 */
export function sourceDate({ SOURCE_DATE_EPOCH }: NodeJS.ProcessEnv): Date | undefined {
  if (SOURCE_DATE_EPOCH === undefined || SOURCE_DATE_EPOCH === '') return undefined;
  if (/^\d{1,11}$/.test(SOURCE_DATE_EPOCH)) return new Date(Number(SOURCE_DATE_EPOCH) * 1000);
  throw new TacetError(
    'config-invalid',
    'SOURCE_DATE_EPOCH: expected seconds since 1970, in digits alone',
  );
}
