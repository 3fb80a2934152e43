import type { Vocabulary } from '../../../../models/embeddings/vocabulary.js';
import type { DrawnNote } from '../ledger/ledger-documents.js';
import type { DocumentEntities } from '../sentences/document-entities.js';
import type { SentenceTable } from '../sentences/sentence-table.js';

/** As many of a job's sentences as fit into memory. */
export interface Portion {
  /** What may still be released, in the order of the documents. */
  readonly sentences: SentenceTable;
  /** By number, those of `sentences` whose entities were replaced. */
  readonly documents: ReadonlyMap<number, DrawnNote>;
  /** Numbers the rows of this portion's sentences. */
  readonly vocabulary: Vocabulary;
  /** Of the ledger, before it was asked what may still be released. */
  readonly ledgerVersion: number;
  /** Of the whole job. */
  readonly documentCount: number;
  /** Of the whole job, documents that could not be read. */
  readonly badCount: number;
  /** Of the whole job, documents whose sentences, or places of entities, may follow from what the entities are. */
  readonly inexactCount: number;
  /** Of the whole job, with those that may not be released again. */
  readonly sentenceCount: number;
  /** Of the whole job, entities that were replaced. */
  readonly replacedCount: number;
  /** Of the whole job, entities of types that are kept where the others are replaced. */
  readonly keptCount: number;
  /** Of the whole job, by type, labelled entities that the scheme takes for text. */
  readonly asText: Readonly<Record<string, number>>;
  /** Of the whole job, [types], what a second reader found of each type outside the labels. */
  readonly suspects: readonly number[];
  /** Of the whole job, sentences that are left out for what it found. */
  readonly suspectedCount: number;
  /** Of this portion, sentences that are left out since their notes left, or stand in the job before, drawn otherwise. */
  readonly redrawnCount: number;
  /** Of the whole job, where PHI entities are asked for. */
  readonly documentEntities: DocumentEntities;
  readonly number: number;
  /** How many portions there are. */
  readonly count: number;
}
