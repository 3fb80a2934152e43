import type { EntityTreatment } from '../../../../proto/entity-treatment.js';
import type { TacetError } from '../../../../proto/errors.js';
import type { SuspectTreatment } from '../suspects/second-reader.js';
import type { JobBoundsReport } from './job-bounds.js';

/** Counts alone: nothing in it tells which sentence was in which document. */
export interface EncodeReport {
  /** Id of the ledger, for a policy to pin. */
  readonly ledger: string;
  readonly documents: number;
  /** Documents that could not be read. */
  readonly bad: number;
  /**
   * Documents whose file parts their sentences, or names entities without their places: where these are may follow from
   * what the entities are, and so may what leaves.
   */
  readonly inexact: number;
  readonly sentences: number;
  /** How often the notes were read, each time for another share of their sentences. */
  readonly portions: number;
  readonly entityTreatment: EntityTreatment;
  /** Types whose entities were kept where the others were replaced. */
  readonly keptTypes: readonly string[];
  /** Labelled entities of those types, whether they are released or withheld. */
  readonly kept: number;
  /** Labelled entities that the scheme takes for text, by type: nothing replaces or certifies them, and they are encoded as they stand. */
  readonly asText: Readonly<Record<string, number>>;
  /** Entities that were replaced, and SHA-256 of the inventory in hex; null where they were kept. */
  readonly replaced: number | null;
  readonly inventory: string | null;
  /** How often each note left, each time with other entities, and the text around them with it. */
  readonly copies: number;
  /** What a second reader found outside the labels, by type, and sentences left out for it; null without one. */
  readonly suspects: SuspectReport | null;
  /** Sentences left out since as many were released that are alike but for their entities. */
  readonly alike: number;
  /** Of how many documents the labels of all that leaves are, at least. */
  readonly labelDocuments: number;
  /** Tokens left out since too few documents have their labels. */
  readonly uncommon: number;
  /** Sentences that were neither released before nor withheld. */
  readonly releasable: number;
  /**
   * Sentences withheld, because of how often an entity stands in them or of its type, or since too few documents have
   * their labels, or hold anything new among what would leave with them.
   */
  readonly withheld: number;
  /** Of those, how many are of notes of which something left already. */
  readonly rest: number;
  /** PHI entities that were certified, and their tokens that cannot be; null without certification. */
  readonly entities: number | null;
  readonly immovable: number | null;
  /** What no adversary can do better about an entity or a document; null without certification. */
  readonly bounds: JobBoundsReport | null;
  /** Sentences encoded now. */
  readonly released: number;
  /** How many pieces they left in; as many as they are, where none was cut. */
  readonly pieces: number;
  /**
   * Sentences left out since their notes left, or stand in this job, with other surrogates or in another number of copies.
   * Some of those that left did so with these.
   */
  readonly redrawn: number;
  /** Sentences left out because they had been released before. */
  readonly skipped: number;
  readonly tokens: number;
  /** SHA-256 in hex of the new segments. */
  readonly segments: readonly string[];
  readonly bytes: number;
}

export interface SuspectReport {
  readonly treatment: SuspectTreatment;
  readonly byType: Readonly<Record<string, number>>;
  readonly sentences: number;
}

/** What became of one portion of a job. */
export interface PortionReport
  extends Pick<
    EncodeReport,
    | 'releasable'
    | 'withheld'
    | 'rest'
    | 'alike'
    | 'uncommon'
    | 'redrawn'
    | 'released'
    | 'pieces'
    | 'tokens'
    | 'bytes'
    | 'segments'
  > {
  readonly entities: number;
  readonly immovable: number;
  /**
   * Why nothing of it leaves although something of a note might that never left: the whole job is refused where nothing of
   * any portion does.
   */
  readonly refusal: TacetError | undefined;
}

export type JobCounts = Omit<PortionReport, 'refusal'>;

/** What several portions come to. */
export function sumOfPortions(reports: readonly PortionReport[]): JobCounts {
  const sum = (count: Exclude<keyof PortionReport, 'segments' | 'refusal'>) =>
    reports.reduce((total, report) => total + report[count], 0);
  return {
    ...{ releasable: sum('releasable'), withheld: sum('withheld') },
    ...{ rest: sum('rest'), alike: sum('alike') },
    ...{ uncommon: sum('uncommon'), redrawn: sum('redrawn'), pieces: sum('pieces') },
    ...{ released: sum('released'), tokens: sum('tokens'), bytes: sum('bytes') },
    ...{ entities: sum('entities'), immovable: sum('immovable') },
    segments: reports.flatMap(({ segments }) => segments),
  };
}
