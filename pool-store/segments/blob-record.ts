import type { SegmentFacts } from './segment-facts.js';

export type BlobKind = 'segment' | 'bundle-file' | 'checkpoint';

export interface BlobRecord {
  readonly digest: string;
  readonly kind: BlobKind;
  readonly bytes: number;
  readonly stored: string;
  /** When its bytes were withdrawn; they never come back. */
  readonly erased: string | null;
  /** The name of whoever uploaded it first; null where that was before names were kept. */
  readonly owner: string | null;
}

export interface NewBlob {
  readonly digest: string;
  readonly kind: BlobKind;
  readonly bytes: number;
  readonly owner: string | null;
  readonly facts?: SegmentFacts | undefined;
}
