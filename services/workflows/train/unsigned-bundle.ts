import type { Manifest } from '../../../models/bundle/manifest.js';

/** Files of a run that `tacet bundle create` makes a bundle of. */
export interface UnsignedBundle {
  readonly kind: Manifest['kind'];
  readonly manifest: string;
  readonly weights: string;
  /** Of public entities, for a representation. */
  readonly inventory?: string | undefined;
  /** `metrics.jsonl` of the run, from which the bundle has its training curve. */
  readonly metrics?: string | undefined;
}
