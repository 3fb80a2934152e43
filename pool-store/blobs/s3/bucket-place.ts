import { TacetError } from '../../../proto/errors.js';

/** Where a bucket is and how to get in; it holds no secret. */
export interface BucketPlace {
  readonly bucket: string;
  /** Of all keys: empty, or one that ends with a slash. */
  readonly prefix: string;
  /** Of a server that is not Amazon's. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  /** A file of credentials; otherwise they come from the environment, or from where the SDK looks. */
  readonly credentials?: string | undefined;
  /** Whether the bucket stands in the path of an address and not in its host name. */
  readonly isPathStyle: boolean;
  /** After so much silence a request has failed. */
  readonly timeoutMs: number;
}

const PARAMETERS: ReadonlySet<string> = new Set(
  'endpoint region credentials style timeout'.split(' '),
);
const FORM = 's3://BUCKET/PREFIX?endpoint=URL&region=NAME&credentials=FILE';
const DEFAULT_TIMEOUT_SECONDS = 10;

/**
 * Reads `s3://bucket/prefix?endpoint=…&region=…&credentials=…&style=path|host&timeout=SECONDS`, all but the
 * bucket optional. Throws `config-invalid`, which repeats nothing that could be a secret.
 */
export function bucketPlace(text: string): BucketPlace {
  if (!URL.canParse(text)) throw invalid(`expected ${FORM}`);
  const { protocol, hostname, port, username, password, pathname, searchParams } = new URL(text);
  if (protocol !== 's3:' || port !== '') throw invalid(`expected ${FORM}`);
  if (username !== '' || password !== '')
    throw invalid('credentials stand in a file (credentials=FILE) or in the environment');
  if (!/^[a-z0-9][a-z0-9._-]{1,62}$/i.test(hostname))
    throw invalid('expected the name of a bucket');
  const stray = [...searchParams.keys()].find((key) => !PARAMETERS.has(key));
  if (stray !== undefined) throw invalid(`expected parameters of ${[...PARAMETERS].join(', ')}`);
  const given = (name: string) => searchParams.get(name) ?? undefined;
  const endpoint = given('endpoint');
  if (endpoint !== undefined && !isEndpoint(endpoint))
    throw invalid('endpoint: expected an address such as https://s3.example.org');
  const style = given('style') ?? (endpoint === undefined ? 'host' : 'path');
  if (style !== 'path' && style !== 'host') throw invalid('style: expected path or host');
  return {
    bucket: hostname,
    prefix: prefixOf(pathname),
    endpoint,
    region: given('region') ?? 'us-east-1',
    credentials: given('credentials'),
    isPathStyle: style === 'path',
    timeoutMs: 1000 * secondsOf(given('timeout')),
  };
}

/** For people: which bucket, and whose. */
export function nameOfPlace({ bucket, endpoint, region }: BucketPlace): string {
  return `bucket ${bucket} ${endpoint === undefined ? `in ${region}` : `at ${endpoint}`}`;
}

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

function prefixOf(pathname: string): string {
  const prefix = pathname.replace(/^\/+|\/+$/g, '');
  if (prefix === '') return '';
  if (/^[\w./-]{1,200}$/.test(prefix)) return `${prefix}/`;
  throw invalid('expected a prefix of letters, digits, dots, hyphens and slashes');
}

function secondsOf(text = String(DEFAULT_TIMEOUT_SECONDS)): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 600) return seconds;
  throw invalid('timeout: expected seconds, at most 600');
}

function invalid(message: string): TacetError {
  return new TacetError('config-invalid', `blobs: ${message}`);
}
