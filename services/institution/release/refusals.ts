import { groupedBy } from '../../../platform/grouped-by.js';
import { type ErrorCode, TacetError } from '../../../proto/errors.js';
import type { SegmentRow } from './ledger/ledger-segments.js';

/** A segment that a pool did not accept. */
export interface Refusal {
  readonly segment: string;
  readonly reason: TacetError;
  /** Whether it may have been accepted all the same. */
  readonly isOpen: boolean;
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

/** Names each segment, why it was refused or what is not known of it, and what to do; of the code of the first. */
export function refusalError(refusals: readonly Refusal[], home: string): TacetError {
  const refused = refusals.filter(({ isOpen }) => !isOpen);
  const open = refusals.filter(({ isOpen }) => isOpen);
  const lines = [
    ...(refused.length === 0
      ? []
      : [
          `${counted(refused, 'was not accepted and stays', 'were not accepted and stay')} in ${home}: ` +
            `${reasonsOf(refused)}. Mend what is said and contribute again, or take out what will never be accepted: ` +
            `tacet home drop ${home} SEGMENT`,
        ]),
    ...(open.length === 0
      ? []
      : [
          `whether the pool accepted ${open.length} of the segments is not known: ${reasonsOf(open)}. Contribute again`,
        ]),
  ];
  const first = refusals[0]?.reason;
  return new TacetError(first?.code ?? 'server-failed', lines.join('; '), { cause: first });
}

function counted({ length }: readonly Refusal[], one: string, many: string): string {
  return length === 1 ? `1 segment ${one}` : `${length} segments ${many}`;
}

function reasonsOf(refusals: readonly Refusal[]): string {
  const byReason = groupedBy(refusals, ({ reason }) => reason);
  const each = [...byReason].map(([{ code, message }, own]) => {
    const segments = own.map(({ segment }) => segment).join(', ');
    return `${segments}: ${code}: ${message}`;
  });
  return each.join('; ');
}
