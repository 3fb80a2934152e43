import type { TextChange } from './text-change.js';

/** A document of a file of annotations. */
export interface LayeredDocument {
  readonly text: string;
  /**
   * Writes a change of the text and the entities that were found. Where the text stays, they are added beside
   * whatever the file holds. Where it changes, all offsets move with it, and what could tell what stood there
   * is taken out and counted.
   */
  change(change: TextChange): void;
}

/** A file of annotations that is written back with all its layers. */
export interface LayeredFile {
  readonly documents: readonly LayeredDocument[];
  /** Strings and structures that were taken out because they may hold PHI. */
  readonly removed: number;
  /** The file as it stands after the changes. */
  format(): string;
}
