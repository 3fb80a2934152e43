import { accuracyLimit, type Charge, plus, upperEnd } from './charge.js';
import type { DocumentEntities } from './document-entities.js';

/** Limits on what any adversary gets right, of several entities or documents; numbers alone. */
export interface BoundSummary {
  readonly count: number;
  readonly median: number;
  readonly percentile95: number;
  readonly percentile99: number;
  readonly maximum: number;
  /** How many are over the limit. */
  readonly over: number;
}

/** If the whole job were released, and of what is left once sentences are withheld. */
interface BeforeAndAfter {
  readonly before: BoundSummary;
  readonly after: BoundSummary;
}

export interface JobBoundsReport {
  readonly limit: number;
  readonly entities: BeforeAndAfter;
  /** Of the documents that name an entity. */
  readonly documents: BeforeAndAfter;
}

type Totals = Record<'before' | 'after', Charge>;

/**
 * The certified bounds of a job before it is released, with all that was released before it.
 *
 * Of an entity: no adversary is right more often than Φ(½√ΣE[Δ²]) about whether it is another one,
 * wherever it occurs (DESIGN section 6), upper end of the interval. Of a document: the same about
 * whether any one entity in it is another, which is the largest bound of its entities. Moves of all of
 * them at once are another question, of which their sum says nothing: Δ of several moves is no more
 * than the sum of single Δ, but Δ² may be more than the sum of single Δ².
 */
export class JobBounds {
  readonly #totals = new Map<string, Totals>();

  /** `spentOn`: what was released of an entity before the job. */
  constructor(private readonly spentOn: (entity: string) => Charge) {}

  /** Adds what one sentence reveals, before anything of its portion is released. */
  add(charges: readonly (Charge & { readonly entity: string })[], isWithheld: boolean): void {
    for (const charge of charges) {
      const totals = this.#totalsOf(charge.entity);
      totals.before = plus(totals.before, charge);
      if (!isWithheld) totals.after = plus(totals.after, charge);
      this.#totals.set(charge.entity, totals);
    }
  }

  report({ entities, documents }: DocumentEntities, limit: number): JobBoundsReport {
    const totals = Array.from(entities, (entity) => this.#totalsOf(entity));
    const summaries = (side: keyof Totals) => {
      const bounds = totals.map((each) => accuracyLimit(upperEnd(each[side])));
      const worst = documents.map((own) =>
        own.reduce((most, entity) => Math.max(most, bounds[entity] as number), 0),
      );
      return { entities: summaryOf(bounds, limit), documents: summaryOf(worst, limit) };
    };
    const [before, after] = [summaries('before'), summaries('after')];
    return {
      limit,
      entities: { before: before.entities, after: after.entities },
      documents: { before: before.documents, after: after.documents },
    };
  }

  #totalsOf(entity: string): Totals {
    const known = this.#totals.get(entity);
    if (known) return known;
    const spent = this.spentOn(entity);
    return { before: spent, after: spent };
  }
}

/** Of nothing: what a coin gets right. */
const NOTHING = 0.5;

function summaryOf(bounds: readonly number[], limit: number): BoundSummary {
  const sorted = Float64Array.from(bounds).sort();
  const quantile = (q: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NOTHING;
  return {
    count: sorted.length,
    median: quantile(0.5),
    percentile95: quantile(0.95),
    percentile99: quantile(0.99),
    maximum: sorted.at(-1) ?? NOTHING,
    over: sorted.filter((bound) => bound > limit).length,
  };
}
