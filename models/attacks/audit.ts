import { TacetError } from '../../proto/errors.js';
import type { NamedArrays } from '../networks/named-arrays.js';
import type { Progress } from '../progress.js';
import { Random } from '../tensor/random.js';
import { pairSource } from '../training/pairs.js';
import { type CertifiedBoundReport, certifiedBound } from './certified-bound.js';
import { type ContinuedAdversaryReport, continuedAdversary } from './continued-adversary.js';
import type { AuditTarget } from './target.js';

export interface AuditOptions {
  readonly seed: number;
  /** SHA-256 of the bundle's manifest. */
  readonly bundle: string;
  /** Units of the adversary, and its weights at the freeze where the auditor has them. */
  readonly adversary: { readonly units: number; readonly start?: NamedArrays };
  readonly maxEpochs?: number;
  readonly patience?: number;
  readonly signal?: AbortSignal;
  readonly progress?: Progress;
}

/** What the attacks could do to one bundle: counts and scores, no text. */
export interface AuditReport {
  readonly format: 'tacet-audit-1';
  readonly bundle: string;
  readonly seed: number;
  /** N, the number of candidates that a moved word is drawn from. */
  readonly candidates: number;
  readonly attacks: readonly ContinuedAdversaryReport[];
  /** The attack with the highest accuracy on unseen documents. */
  readonly strongest: ContinuedAdversaryReport;
  readonly certified: CertifiedBoundReport;
  /** A sentence for people. */
  readonly verdict: string;
}

/**
 * Attacks a frozen representation with the adversary of its training, going on where training
 * ended, and with fresh ones on each task alone; beside them stands the bound on all attacks.
 */
export async function audit(target: AuditTarget, options: AuditOptions): Promise<AuditReport> {
  requirePairs(target);
  const { seed, bundle, adversary, maxEpochs, patience, signal, progress } = options;
  const random = new Random(seed);
  const limits = {
    seed,
    units: adversary.units,
    ...(maxEpochs !== undefined && { maxEpochs }),
    ...(patience !== undefined && { patience }),
  };
  const attacks: ContinuedAdversaryReport[] = [];
  for (const task of ['both', 'T1', 'T2'] as const) {
    const start = task === 'both' && adversary.start ? { start: adversary.start } : {};
    const context = { random: random.fork(task), signal, progress };
    attacks.push(await continuedAdversary(target, { ...limits, ...start, task }, context));
  }
  const strongest = attacks.reduce((a, b) => (b.test.accuracy > a.test.accuracy ? b : a));
  const certified = certifiedBound(target, { seed }, random.fork('certified-bound'));
  return {
    format: 'tacet-audit-1',
    bundle,
    seed,
    candidates: target.candidates.count,
    attacks,
    strongest,
    certified,
    verdict: verdict(strongest, certified),
  };
}

/** Throws `corpus-invalid` where there is nothing to learn from or to measure on. */
function requirePairs({ candidates, ...parts }: AuditTarget): void {
  for (const part of ['train', 'validation', 'test'] as const) {
    if (pairSource(parts[part], candidates).positions.size > 0) continue;
    throw new TacetError(
      'corpus-invalid',
      `the ${part} part of the auditor's notes has no PHI that can move; give more labelled notes`,
    );
  }
}

function verdict(strongest: ContinuedAdversaryReport, certified: CertifiedBoundReport): string {
  const { accuracy, interval } = strongest.test;
  const found =
    interval[0] > 0.5
      ? `an attacker tells a sentence from its altered twin in ${percent(accuracy)} of the cases, more than a coin`
      : `the trained attackers did no better than a coin (${percent(accuracy)})`;
  return `${found}; no attacker of any kind can be right in more than ${percent(certified.interval[1])}, averaged over such pairs.`;
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}
