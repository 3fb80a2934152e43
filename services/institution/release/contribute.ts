/**
 * From the outbox to the pool. A contribution is signed and stored before its first byte leaves, so
 * that every retry sends the same bytes under the same signature, whichever process makes it, until the pool accepts it or
 * refuses part of it: the rest is then signed anew.
 */

import type { KeyObject } from 'node:crypto';
import type { Progress } from '../../../platform/progress.js';
import { type ContributionManifest, signContribution } from '../../../proto/contribution.js';
import { sha256Hex } from '../../../proto/digest.js';
import { type Envelope, keyIdOf } from '../../../proto/dsse.js';
import { TacetError } from '../../../proto/errors.js';
import { keptTypesIn } from '../../../proto/kept-types.js';
import { PATHS, pathTo } from '../../../proto/paths.js';
import type { ServiceClient } from '../../client/client.js';
import { type Home, withHome } from './home/home.js';
import { aloneIn, CONTRIBUTING_LOCK } from './home/home-lock.js';
import type { SegmentRow } from './ledger/ledger-segments.js';
import {
  grouped,
  idOf,
  type PendingContribution,
  pendingContributions,
  signedIn,
  total,
} from './pending-contribution.js';
import { isFailure, type Refusal, refusalError, refusalOf, refusedBy } from './refusals.js';

export const DEFAULT_TERMS = 'research on de-identification';

export interface ContributeOptions {
  readonly pool: ServiceClient;
  readonly privateKey: KeyObject;
  /** The institution's name at the pool. */
  readonly institution: string;
  /**
   * What the pool may do with the contributions. Without it, those that an earlier call signed keep their terms, and the
   * others have `DEFAULT_TERMS`.
   */
  readonly terms?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
  /** Told of each as soon as the pool has accepted it. */
  readonly onAccepted?: ((contribution: AcceptedContribution) => void) | undefined;
}

/** A contribution that the pool has promised to keep. */
export interface AcceptedContribution {
  readonly id: string;
  readonly model: string;
  /** As it was signed, which may be by an earlier call. */
  readonly terms: string;
  readonly segments: number;
  readonly sentences: number;
  readonly tokens: number;
  readonly bytes: number;
}

/**
 * Contributes everything in the outbox of `home`, one contribution a model. What is refused holds up nothing else: all that
 * can be accepted is, and `refusalError` is thrown for the rest, whose bytes the outbox keeps; the next call tries it again.
 * What an earlier call signed with another key, institution or terms is signed anew, unless the pool has accepted it: then
 * it stays as it was given, as the returned `terms` say. Where the pool may yet accept it, since it was asked to and did not
 * answer, it is not signed anew with other terms or by another institution (`outcome-unknown`). Throws at once what would
 * keep the rest from being accepted, too, as where no pool answers. Two calls on one home wait for each other.
 */
export function contribute(
  home: string,
  options: ContributeOptions,
): Promise<AcceptedContribution[]> {
  const { signal } = options;
  return withHome(home, { signal }, (opened) =>
    aloneIn(home, CONTRIBUTING_LOCK, signal, async () => {
      const attempt = new Attempt(opened, options);
      await attempt.run();
      const { accepted, refusals } = attempt;
      if (refusals.length > 0) throw refusalError(refusals, home);
      return accepted;
    }),
  );
}

/** What becomes of the outbox in one call. */
class Attempt {
  readonly accepted: AcceptedContribution[] = [];
  /** Why, by the digest of a segment. */
  readonly #refused = new Map<string, TacetError>();
  /** How a server failed at a contribution, by its digest: whether it was accepted is not known. */
  readonly #failed = new Map<string, TacetError>();
  /** Segments that the pool holds. */
  readonly #uploaded = new Set<string>();
  readonly #dropped: ReadonlySet<string>;

  constructor(
    private readonly opened: Home,
    private readonly options: ContributeOptions,
  ) {
    this.#dropped = opened.ledger.segments.dropped();
  }

  async run(): Promise<void> {
    const { terms = DEFAULT_TERMS } = this.options;
    const { ledger } = this.opened;
    await this.#exclusively(() => this.#sign(ledger.segments.unclaimed(), terms));
    for (;;) {
      await this.#takeBack();
      const open = pendingContributions(this.opened.ledger).filter(
        ({ digest, segments }) => !this.#failed.has(digest) && !segments.some(this.#isRefused),
      );
      if (open.length === 0) return;
      for (const pending of open) await this.#submit(pending);
    }
  }

  get refusals(): Refusal[] {
    const failed = pendingContributions(this.opened.ledger).flatMap(({ digest, segments }) => {
      const reason = this.#failed.get(digest);
      if (!reason) return [];
      return segments.map(
        (segment): Refusal => ({ segment: segment.digest, reason, isOpen: true }),
      );
    });
    const refused = [...this.#refused].map(
      ([segment, reason]): Refusal => ({ segment, reason, isOpen: false }),
    );
    return [...refused, ...failed];
  }

  readonly #isRefused = ({ digest }: SegmentRow): boolean => this.#refused.has(digest);

  readonly #isDropped = ({ digest }: SegmentRow): boolean => this.#dropped.has(digest);

  /**
   * Signs anew what was signed otherwise, or of which some segments go no further: these are then a contribution of their
   * own. The pool may have accepted one and its answer was lost: signed anew, its segments would belong to another
   * contribution for ever.
   */
  async #takeBack(): Promise<void> {
    for (const pending of pendingContributions(this.opened.ledger)) {
      const { digest, envelope, segments } = pending;
      const refused = segments.filter(this.#isRefused);
      const given = segments.filter((segment) => !this.#isRefused(segment));
      const isWhole = refused.length === 0 || given.length === 0;
      const stays =
        isWhole && !segments.some(this.#isDropped) && isSignedAs(this.options, envelope);
      if (this.#failed.has(digest) || (stays && refused.length === 0)) continue;
      if (pending.isSent && (await this.#isHeld(idOf(envelope)))) {
        await this.#settle(pending);
        continue;
      }
      if (pending.isSent && isNamedOtherwise(this.options, envelope)) {
        this.#failed.set(digest, unknownOutcome(idOf(envelope), signedIn(envelope)));
        continue;
      }
      if (stays) continue;
      const { terms = signedIn(envelope).terms } = this.options;
      const isLeft = (segment: SegmentRow) => !this.#isDropped(segment);
      await this.#exclusively(() => {
        this.opened.ledger.segments.dropContribution(digest);
        for (const part of [given, refused]) this.#sign(part.filter(isLeft), terms);
      });
    }
  }

  #exclusively(work: () => void): Promise<void> {
    return this.opened.ledger.exclusively(work, this.options.signal);
  }

  /** Whether the pool keeps the contribution: by its own word alone, since a server that is none has no such route (`route-unknown`). */
  async #isHeld(id: string): Promise<boolean> {
    const { pool, signal } = this.options;
    try {
      const path = pathTo(PATHS.contribution, { id });
      const held = await pool.json<HeldContribution>('GET', path, undefined, { signal });
      return held.id === id && held.withdrawn === null;
    } catch (error) {
      if (error instanceof TacetError && error.code === 'not-found') return false;
      throw error;
    }
  }

  #sign(unsigned: readonly SegmentRow[], terms: string): void {
    const { ledger } = this.opened;
    const { privateKey, institution } = this.options;
    for (const segments of grouped(unsigned)) {
      const { model, scheme, certified, inventory, keptTypes, copies } = segments[0] as SegmentRow;
      const envelope = signContribution(
        {
          model,
          segments: segments.map(({ digest }) => digest),
          counts: { sentences: total(segments, 'sentences'), tokens: total(segments, 'tokens') },
          labelScheme: scheme,
          limit: certified,
          entities: inventory === null ? 'kept' : 'replaced',
          inventory,
          keptTypes: keptTypesIn(keptTypes),
          copies,
          terms,
          institution,
          time: new Date().toISOString(),
        },
        privateKey,
      );
      const bytes = Buffer.from(JSON.stringify(envelope));
      const digest = sha256Hex(bytes);
      ledger.segments.recordContribution({ digest, envelope: bytes }, segments);
    }
  }

  async #submit(pending: PendingContribution): Promise<void> {
    const { digest, envelope, segments } = pending;
    const { pool, signal } = this.options;
    try {
      await this.#upload(segments);
      if (segments.some(this.#isRefused)) return;
      await this.#recordSent(digest, true);
      const posted = pool.json<{ id: string }>('POST', PATHS.contributions, envelope, { signal });
      const { id } = await posted;
      // Whatever else the pool has, it has not promised to keep this.
      if (id !== idOf(envelope))
        throw new TacetError(
          'server-failed',
          `contribution ${idOf(envelope)} was answered as if it were ${id}; the outbox keeps it`,
        );
    } catch (error) {
      if (error instanceof TacetError && !isFailure(error)) await this.#recordSent(digest, false);
      const reason = refusalOf(error);
      if (isFailure(reason)) this.#failed.set(digest, reason);
      else for (const each of refusedBy(reason, segments)) this.#refused.set(each.digest, reason);
      return;
    }
    await this.#settle(pending);
  }

  #recordSent(digest: string, isSent: boolean): Promise<void> {
    return this.#exclusively(() => this.opened.ledger.segments.recordSent(digest, isSent));
  }

  async #upload(segments: readonly SegmentRow[]): Promise<void> {
    const bytes = total(segments, 'bytes');
    let uploaded = 0;
    for (const segment of segments) {
      try {
        await this.#uploadOnce(segment);
      } catch (error) {
        const reason = refusalOf(error);
        if (isFailure(reason)) throw reason;
        this.#refused.set(segment.digest, reason);
      }
      uploaded += segment.bytes;
      this.options.progress?.({ step: 'upload', done: uploaded, total: bytes, unit: 'bytes' });
    }
  }

  async #uploadOnce({ digest }: SegmentRow): Promise<void> {
    if (this.#uploaded.has(digest)) return;
    const { outbox } = this.opened;
    const { pool, signal } = this.options;
    const target = { digest, kind: 'segment' } as const;
    await pool.upload(await outbox.read(digest), target, { signal, resumeFile: outbox.resumeFile });
    this.#uploaded.add(digest);
  }

  /** The pool has promised to keep the contribution: its bytes are needed here no longer. */
  async #settle({ digest, envelope, segments }: PendingContribution): Promise<void> {
    const { ledger, outbox } = this.opened;
    const id = idOf(envelope);
    await this.#exclusively(() => ledger.segments.recordAcceptance(digest, id));
    const contribution = {
      id,
      model: segments[0]?.model ?? '',
      terms: signedIn(envelope).terms,
      segments: segments.length,
      sentences: total(segments, 'sentences'),
      tokens: total(segments, 'tokens'),
      bytes: total(segments, 'bytes'),
    };
    this.accepted.push(contribution);
    this.options.onAccepted?.(contribution);
    for (const segment of segments) {
      this.#refused.delete(segment.digest);
      await outbox.remove(segment.digest);
    }
  }
}

/** What a pool says of a contribution. */
interface HeldContribution {
  readonly id: string;
  readonly withdrawn: string | null;
}

/** Whether it states what would be signed now, by the same key. */
function isSignedAs(options: ContributeOptions, envelope: Envelope): boolean {
  return (
    signedIn(envelope).keyId === keyIdOf(options.privateKey) && !isNamedOtherwise(options, envelope)
  );
}

/** Whether it is another institution's now, or the pool may do something else with it. */
function isNamedOtherwise({ institution, terms }: ContributeOptions, envelope: Envelope): boolean {
  const signed = signedIn(envelope);
  return signed.institution !== institution || signed.terms !== (terms ?? signed.terms);
}

function unknownOutcome(id: string, { institution, terms }: ContributionManifest): TacetError {
  return new TacetError(
    'outcome-unknown',
    `contribution ${id} was sent before, by ${institution} with the terms '${terms}', and the pool may yet accept it; ` +
      'contribute as that institution and without --terms, then tacet withdraw takes back what is not to stay there',
  );
}
