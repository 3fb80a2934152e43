import type { Document } from '../text/document.js';

export interface SyntheticOptions {
  /** Any safe integer from 0 on; the same seed gives the same notes on every machine and day. */
  readonly seed: number;
  readonly documents: number;
  /** How many institutions take turns, 1 to all; all by default. */
  readonly institutions?: number;
}

/** A made-up clinical note with the exact spans of its made-up PHI. */
export interface SyntheticNote extends Document {
  /** Where it was written; the id of the note begins with it: `north-0001`. */
  readonly institution: string;
  readonly kind: NoteKind;
  /** The free text between header and signature, in UTF-16 offsets. */
  readonly narrative: { readonly start: number; readonly end: number };
}

export const NOTE_KINDS = [
  'discharge',
  'progress',
  'radiology',
  'letter',
  'nursing',
  'triage',
  'operation',
  'social work',
] as const;

export type NoteKind = (typeof NOTE_KINDS)[number];

/** A stretch of text; with a type where it is PHI. */
export interface Piece {
  readonly text: string;
  readonly type?: string;
}
