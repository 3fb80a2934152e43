import { knowsType, type LabelScheme } from '../../../../models/text/label-scheme.js';
import type { FindPhi } from '../../../../models/text/suspects.js';
import { TacetError } from '../../../../proto/errors.js';

/** What becomes of suspects: counted alone, labelled and replaced, or their sentences left out. */
export const SUSPECT_TREATMENTS = ['report', 'replace', 'withhold'] as const;
export type SuspectTreatment = (typeof SUSPECT_TREATMENTS)[number];
/** Those under which no suspect leaves as it stands. */
export type ProtectiveTreatment = Exclude<SuspectTreatment, 'report'>;

/**
 * Who reads notes once more for what their annotators missed. It reads them with their entities replaced:
 * what it finds, and so what leaves, must not depend on what a labelled entity was.
 */
export interface SecondReader {
  readonly treatment: SuspectTreatment;
  /** Finds types that the scheme of the release knows. */
  readonly find: FindPhi;
}

/** Throws `model-unsuitable` where a reader of `types` could find what the scheme has no name for. */
export function requireReadable(types: readonly string[], scheme: LabelScheme): void {
  const unknown = types.filter((type) => !knowsType(type, scheme));
  if (unknown.length === 0) return;
  throw new TacetError(
    'model-unsuitable',
    `the reader finds ${unknown.join(', ')}, which label scheme ${scheme.name} does not know; give a ` +
      'pipeline of the same scheme as the model',
  );
}
