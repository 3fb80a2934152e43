import { type ErrorCode, TacetError } from '../../../proto/errors.js';
import type { SegmentRow } from './ledger/ledger-segments.js';

/** A segment that a pool did not accept. */
export interface Refusal {
  readonly segment: string;
  readonly reason: TacetError;
}

/** What keeps every contribution from being accepted, whatever is in it. */
const OF_ALL: ReadonlySet<ErrorCode> = new Set([
  ...([
    'server-unreachable',
    'route-unknown',
    'unauthorized',
    'forbidden',
    'key-untrusted',
  ] as const),
  ...(['rate-limited', 'store-full', 'store-busy', 'store-unavailable'] as const),
  ...(['catalog-unreachable', 'disk-full', 'disk-failed', 'interrupted'] as const),
]);
/** From this HTTP status on it is the server that failed. */
const FIRST_FAILURE = 500;

/** Why this contribution was not accepted. Throws what is no reason, and what none would be accepted for. */
export function refusalOf(error: unknown): TacetError {
  if (error instanceof TacetError && !OF_ALL.has(error.code)) return error;
  throw error;
}

/** Whether it leaves open if the contribution was accepted, and says nothing of what is in it. */
export function isFailure({ status }: TacetError): boolean {
  return status >= FIRST_FAILURE;
}

/** The segment of a contribution that the reason names first, as pools do where it is for one of them; else all. */
export function refusedBy(
  { message }: TacetError,
  segments: readonly SegmentRow[],
): readonly SegmentRow[] {
  const named = segments
    .map((segment) => ({ segment, place: message.indexOf(segment.digest) }))
    .filter(({ place }) => place >= 0)
    .sort((a, b) => a.place - b.place);
  return named[0] ? [named[0].segment] : segments;
}

/** Names each segment, why it was refused, and what to do; of the code of the first. */
export function refusalError(refusals: readonly Refusal[], home: string): TacetError {
  const byReason = new Map<TacetError, string[]>();
  for (const { segment, reason } of refusals)
    byReason.set(reason, [...(byReason.get(reason) ?? []), segment]);
  const each = [...byReason].map(
    ([{ code, message }, segments]) => `${segments.join(', ')}: ${code}: ${message}`,
  );
  const [first] = byReason.keys();
  const { length } = refusals;
  const stay =
    length === 1
      ? '1 segment was not accepted and stays'
      : `${length} segments were not accepted and stay`;
  return new TacetError(
    first?.code ?? 'server-failed',
    `${stay} in ${home}: ${each.join('; ')}. Mend what is said and contribute again, or take out what ` +
      `will never be accepted: tacet home drop ${home} SEGMENT`,
    { cause: first },
  );
}
