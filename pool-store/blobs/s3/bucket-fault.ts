import { TacetError } from '../../../proto/errors.js';
import { type BucketPlace, nameOfPlace } from './bucket-place.js';

/** What the SDK throws, as far as anybody looks at it. */
interface Fault {
  readonly name?: string;
  readonly code?: string;
  readonly Code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
}

const DENIED = new Set([
  ...['AccessDenied', 'Forbidden', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken'],
  ...['InvalidToken', 'AccountProblem', 'AllAccessDisabled', '401', '403'],
]);
/** What refuses a HEAD has no body to say why. */
const UNSAID = new Set(['Forbidden', '403', 'Unknown', 'UnknownError']);
const FULL = new Set(['QuotaExceeded', 'EntityTooLarge', 'InsufficientStorage', 'StorageFull']);
/** Further off no clock may be, of whoever signs a request. */
const CLOCKS_MS = 15 * 60_000;
/** Statuses that say that the same request may succeed later; 409 is a conditional write that met another. */
const PASSING = new Set([408, 409, 429]);

/** The name that S3 gives to a failure, or the system's own for a broken connection. */
function faultName(error: unknown): string {
  const { name, code, Code } = (error ?? {}) as Fault;
  return String(Code ?? (name === 'Error' || name === undefined ? code : name) ?? 'Error');
}

export function statusOf(error: unknown): number | undefined {
  return ((error ?? {}) as Fault).$metadata?.httpStatusCode;
}

/** Whether the same request may succeed later. Where no answer came, it may also have been carried out. */
export function isPassing(error: unknown): boolean {
  if (error instanceof TacetError) return false;
  const status = statusOf(error);
  if (faultName(error) === 'CredentialsProviderError') return false;
  // A body that was cut off on its way is answered so, where the connection still lives.
  if (['BadDigest', 'IncompleteBody', 'RequestTimeout'].includes(faultName(error))) return true;
  return status === undefined || PASSING.has(status) || (status >= 500 && status !== 501);
}

/**
 * What a failure of a bucket means for a store. What the SDK threw is not its cause: that holds requests, and
 * these what signs them.
 */
export function bucketFault(error: unknown, place: BucketPlace): TacetError {
  if (error instanceof TacetError) return error;
  const [name, status] = [faultName(error), statusOf(error)];
  const where = nameOfPlace(place);
  if (name === 'NoSuchBucket') {
    return new TacetError('bucket-missing', `there is no ${where}; make it, or name another one`);
  }
  if (name === 'RequestTimeTooSkewed' || (UNSAID.has(name) && isSkewed(error)))
    return clockFault(error, where);
  if (name === 'CredentialsProviderError') {
    const message =
      `no credentials for ${where}: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, ` +
      'or name a file with credentials=FILE';
    return new TacetError('bucket-denied', message);
  }
  if (FULL.has(name) || status === 507) {
    return new TacetError('store-full', `${where} is full (${name}); nothing was changed`);
  }
  if (DENIED.has(name) || status === 401 || status === 403) {
    const message =
      `${where} refuses these credentials (${name}); they must be allowed to list it, to read, write and ` +
      'delete its objects and to read its versioning';
    return new TacetError('bucket-denied', message);
  }
  const message = `${where} does not answer as it should (${name}); try again when it does`;
  return new TacetError('store-unavailable', message);
}

function isSkewed(error: unknown): boolean {
  const theirs = dateOf(error);
  return theirs !== undefined && Math.abs(Date.parse(theirs) - Date.now()) > CLOCKS_MS;
}

/** When it was answered, by the server's clock. */
function dateOf(error: unknown): string | undefined {
  return ((error ?? {}) as Fault).$response?.headers?.date;
}

function clockFault(error: unknown, where: string): TacetError {
  const theirs = dateOf(error);
  const says = theirs === undefined ? '' : ` says ${new Date(theirs).toISOString()}, and it`;
  const message = `the clock of ${where}${says} disagrees with this machine's, ${new Date().toISOString()}; set the one that is wrong`;
  return new TacetError('clock-wrong', message);
}
