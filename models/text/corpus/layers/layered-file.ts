import type { TextChange } from './text-change.js';

/**
 * What becomes of a file: `annotate` adds what was found to whatever it holds; under `replace` all offsets move
 * with the text, and what could tell what stood anywhere in the file is taken out, found or not, and counted.
 */
export type LayerTreatment = 'annotate' | 'replace';

/** A document of a file of annotations. */
export interface LayeredDocument {
  readonly text: string;
  /** Writes a change of the text and the entities that were found. Under `annotate` the text must stay. */
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
