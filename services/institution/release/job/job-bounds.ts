import { LEAST_ACCURACY } from '../../../../models/certification/accuracy.js';
import type { Certificate } from '../limits/certify.js';
import { accuracyBound, type Charge, openTo, plus, type Spent, sumOf } from '../limits/charge.js';
import type { Decision } from '../limits/withhold.js';
import type { DocumentEntities } from '../sentences/document-entities.js';

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
  /** PHI types that are withheld, and of which no portion of the job releases anything. */
  readonly withheldTypes: readonly string[];
  /** Entities of which what is missing may tell: they count as wide open, for good. */
  readonly told: number;
  /**
   * Of those that have a word that can move: before, of all in the job; after, of those that leave with it, that left
   * before, or of which what is missing may tell.
   */
  readonly entities: BeforeAndAfter;
  /** Of the documents that name an entity. */
  readonly documents: BeforeAndAfter;
}

type Totals = Record<'before' | 'after', Charge>;

/**
 * The certified bounds of a job before it is released, with all that was released before it.
 *
 * Of an entity: no adversary is right more often about whether it is another one, wherever it or a
 * shorter form of it stands, by the vectors and by what is missing (`accuracyBound`). What stands beside
 * the whole name in one sentence is counted with it and, where the shorter form is an entity of its
 * own, once more. Two shorter forms in one sentence of a note that does not name it are counted one by one, which may be
 * less than both at once. Of a document: the same about whether any one entity in it is another, which is the
 * largest bound of its entities. Moves of all of them at once are another question, of which their sum
 * says nothing: Δ of several moves is no more than the sum of single Δ, but Δ² may be more than the sum
 * of single Δ².
 */
export class JobBounds {
  readonly #totals = new Map<string, Totals>();
  readonly #formsOf = new Map<string, readonly string[]>();
  readonly #withheldTypes = new Set<number>();
  readonly #leavingTypes = new Set<number>();
  readonly #told = new Set<string>();
  readonly #immovable = new Set<string>();
  readonly #leaving = new Set<string>();

  /** `spentOn`: what was released of an entity before the job; `types` names PHI types. */
  constructor(
    private readonly spentOn: (entity: string) => Spent,
    private readonly types: readonly string[] = [],
  ) {}

  /** Adds what a portion reveals, before anything of it is released. */
  add(
    { charges, formsOf, immovableEntities }: Certificate,
    { withheld, types, leavingTypes, leaving, told, toldTwins }: Decision,
  ): void {
    for (const [entity, forms] of formsOf) this.#formsOf.set(entity, forms);
    for (const entity of immovableEntities) this.#immovable.add(entity);
    for (const type of types) this.#withheldTypes.add(type);
    for (const type of leavingTypes) this.#leavingTypes.add(type);
    for (const [i, entities] of charges.entries())
      for (const charge of entities) {
        const { before, after } = this.#totalsOf(charge.entity);
        this.#totals.set(charge.entity, {
          before: plus(before, charge),
          after: withheld[i] ? after : plus(after, charge),
        });
      }
    for (const [entity, { before, after }] of this.#totals)
      this.#totals.set(entity, { before, after: openTo(after, toldTwins.get(entity)) });
    for (const entity of told) this.#told.add(entity);
    for (const entity of leaving) this.#leaving.add(entity);
  }

  report({ entities, documents }: DocumentEntities, limit: number): JobBoundsReport {
    const names = [...entities];
    const summaries = (side: keyof Totals) => {
      const bounds = names.map((name) => {
        if (side === 'after' && this.#told.has(name)) return 1;
        const forms = (this.#formsOf.get(name) ?? []).filter((form) => form !== name);
        return accuracyBound(sumOf([name, ...forms].map((each) => this.#totalsOf(each)[side])));
      });
      const worst = documents.map((own) =>
        own.reduce((most, entity) => Math.max(most, bounds[entity] as number), 0),
      );
      const certified = bounds.filter((_, i) => {
        const name = names[i] as string;
        const isMeant = side === 'before' || this.#leaving.has(name) || this.#told.has(name);
        return isMeant && !this.#immovable.has(name);
      });
      return { entities: summaryOf(certified, limit), documents: summaryOf(worst, limit) };
    };
    const [before, after] = [summaries('before'), summaries('after')];
    return {
      limit,
      withheldTypes: [...this.#withheldTypes]
        .filter((type) => !this.#leavingTypes.has(type))
        .map((type) => this.types[type - 1] ?? `${type}`)
        .sort(),
      told: names.filter((name) => this.#told.has(name)).length,
      entities: { before: before.entities, after: after.entities },
      documents: { before: before.documents, after: after.documents },
    };
  }

  #totalsOf(entity: string): Totals {
    const known = this.#totals.get(entity);
    if (known) return known;
    const spent = this.spentOn(entity);
    if (spent.isTold) this.#told.add(entity);
    if (spent.squared.length > 0) this.#leaving.add(entity);
    const totals = { before: spent, after: spent };
    this.#totals.set(entity, totals);
    return totals;
  }
}

function summaryOf(bounds: readonly number[], limit: number): BoundSummary {
  const sorted = Float64Array.from(bounds).sort();
  const quantile = (q: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? LEAST_ACCURACY;
  return {
    count: sorted.length,
    median: quantile(0.5),
    percentile95: quantile(0.95),
    percentile99: quantile(0.99),
    maximum: sorted.at(-1) ?? LEAST_ACCURACY,
    over: sorted.filter((bound) => bound > limit).length,
  };
}
