import type { Progress } from '../../models/progress.js';
import { Random } from '../../models/tensor/random.js';
import { TacetError } from '../../proto/errors.js';
import { certify } from './certify.js';
import { accuracyLimit, plus, upperEnd } from './charge.js';
import type { EncodingModel } from './encoding-model.js';
import type { JobBounds } from './job-bounds.js';
import type { Ledger, Release } from './ledger.js';
import type { Sentence } from './sentence.js';
import { type WithholdPolicy, withhold } from './withhold.js';

export interface Certification extends WithholdPolicy {
  /** N, the candidates of a moved word, those that the model was trained against. */
  readonly neighbours: number;
  /** Draws of twin and noise a sentence and entity; 16 unless more are asked for. */
  readonly draws?: number | undefined;
}

interface CertifyJobOptions {
  /** Told what each sentence reveals, withheld or not. */
  readonly bounds: JobBounds;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

interface CertifiedJob<S> {
  /** What may be released, with its charges, in the order of its hashes. */
  readonly kept: S[];
  readonly entities: number;
  /** Tokens of PHI for which nothing is certified. */
  readonly immovable: number;
}

/**
 * Charges all that a job would release and withholds what is over the limit. Throws
 * `release-refused` where the ledger holds releases that were never certified, or where the rule
 * would give away too much by what it withholds.
 */
export async function certifyJob<S extends Sentence & Release>(
  sentences: readonly S[],
  model: EncodingModel,
  ledger: Ledger,
  policy: Certification,
  { bounds, signal, progress }: CertifyJobOptions,
): Promise<CertifiedJob<S>> {
  requireCertifiedHistory(ledger);
  // Like the draws, the order is secret and that of every job: a job that is run again decides the same.
  const judged = [...sentences].sort((a, b) => Buffer.compare(a.hash, b.hash));
  const keys = releaseKeys(judged, ledger);
  const certificate = await certify(judged, model, {
    neighbours: policy.neighbours,
    draws: policy.draws,
    keyOf: (index) => keys[index] as string,
    nameOf: (words) => ledger.hashEntity(words).toString('hex'),
    random: new Random(ledger.certificateSeed()),
    signal,
    progress,
  });
  const decision = withhold(certificate, (entity) => ledger.spentOn(entity), policy);
  if (decision.accuracy > policy.limit) throw refused(policy);
  for (const [i, charges] of certificate.charges.entries())
    bounds.add(charges, decision.withheld[i] === true);
  const charged = judged.map((sentence, i) => ({
    ...sentence,
    charges: certificate.charges[i] ?? [],
  }));
  return {
    kept: charged.filter((_, i) => !decision.withheld[i]),
    entities: decision.entities,
    immovable: certificate.immovable,
  };
}

/** Names each release of each sentence: two of one are two draws. */
function releaseKeys(sentences: readonly Release[], ledger: Ledger): string[] {
  const counts = new Map<string, number>();
  return sentences.map(({ hash }) => {
    const name = Buffer.from(hash).toString('hex');
    const count = counts.get(name) ?? ledger.releasesOf(hash);
    counts.set(name, count + 1);
    return `${name} ${count}`;
  });
}

/** What is under the limit together with all that the ledger holds by now. */
export function underLimit<R extends Release>(
  releases: readonly R[],
  ledger: Ledger,
  { limit, maxSentencesPerEntity = Number.POSITIVE_INFINITY }: WithholdPolicy,
): R[] {
  requireCertifiedHistory(ledger);
  const totals = new Map<string, ReturnType<Ledger['spentOn']>>();
  return releases.filter(({ charges }) => {
    const after = charges.map((charge) => {
      const before = totals.get(charge.entity) ?? ledger.spentOn(charge.entity);
      return [charge.entity, { ...plus(before, charge), sentences: before.sentences + 1 }] as const;
    });
    const allowed = after.every(
      ([, total]) =>
        accuracyLimit(upperEnd(total)) <= limit && total.sentences <= maxSentencesPerEntity,
    );
    if (allowed) for (const [entity, total] of after) totals.set(entity, total);
    return allowed;
  });
}

function requireCertifiedHistory(ledger: Ledger): void {
  if (ledger.isCertified()) return;
  throw new TacetError(
    'release-refused',
    'the ledger holds releases that were never certified, so no limit over its history can be ' +
      'stated; certify in a home that has released nothing, for notes that were never encoded',
  );
}

function refused({ limit, maxSentencesPerEntity }: WithholdPolicy): TacetError {
  const advice =
    maxSentencesPerEntity === undefined
      ? 'set maxSentencesPerEntity in the policy, or raise certifiedLimit'
      : 'lower maxSentencesPerEntity in the policy, or raise certifiedLimit';
  return new TacetError(
    'release-refused',
    `so much would be withheld that its absence alone exceeds the limit ${limit}; ${advice}`,
  );
}
