import { Random } from '../../../../models/tensor/random.js';
import type { Progress } from '../../../../platform/progress.js';
import { TacetError } from '../../../../proto/errors.js';
import type { EncodingModel } from '../../bundles/encoding-model.js';
import type { Ledger, Release } from '../ledger/ledger.js';
import { certify, isWhole } from '../limits/certify.js';
import { openTo } from '../limits/charge.js';
import type { Leaves } from '../limits/judged.js';
import { withhold } from '../limits/withhold.js';
import type { WithholdPolicy } from '../limits/withhold-policy.js';
import type { Sentence } from '../sentences/sentence.js';
import type { JobBounds } from './job-bounds.js';

export interface Certification extends WithholdPolicy {
  /** N, the candidates of a moved word, those that the model was trained against. */
  readonly neighbours: number;
  /** Sampled twins of an entity, `TWINS` unless stated. */
  readonly twins?: number | undefined;
}

interface CertifyJobOptions<S> {
  /** Told what each sentence reveals, withheld or not. */
  readonly bounds: JobBounds;
  /** Which tokens leave of sentences that are not withheld, where that is not all; it may look at nothing but labels and documents. */
  readonly leavesOf?: ((kept: readonly S[]) => (sentence: S, token: number) => boolean) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

interface CertifiedJob<S> {
  /** What may be released, with its charges, in the order of its hashes. */
  readonly kept: S[];
  readonly entities: number;
  /** Tokens of PHI for which nothing is certified. */
  readonly immovable: number;
  /** Entities of which what is missing may tell anything, released or not. */
  readonly told: ReadonlySet<string>;
}

/**
 * Charges all that a job would release and withholds what the rule wants withheld. Throws
 * `history-uncertified` where the ledger holds releases that this certificate does not cover.
 */
export async function certifyJob<S extends Sentence & Release>(
  sentences: readonly S[],
  model: EncodingModel,
  ledger: Ledger,
  policy: Certification,
  { bounds, leavesOf, signal, progress }: CertifyJobOptions<S>,
): Promise<CertifiedJob<S>> {
  requireCertifiedHistory(ledger);
  // Like the draws, the order is secret and that of every job: a job that is run again decides the same.
  const judged = [...sentences].sort((a, b) => Buffer.compare(a.hash, b.hash));
  const keys = releaseKeys(judged, ledger);
  const certificate = await certify(judged, model, {
    neighbours: policy.neighbours,
    twins: policy.twins,
    keyOf: (index) => keys[index] as string,
    nameOf: (words) => ledger.key.hashEntity(words).toString('hex'),
    random: new Random(ledger.key.certificateSeed()),
    signal,
    progress,
  });
  const labels = judged.map((sentence) => sentence.labels);
  const leaving = (withheld: readonly boolean[]): Leaves => {
    const leaves = leavesOf?.(judged.filter((_, i) => !withheld[i]));
    return (i, token) => leaves?.(judged[i] as S, token) ?? true;
  };
  const spentOn = (entity: string) => ledger.entities.spentOn(entity);
  const decision = withhold({ ...certificate, labels, leavesOf: leaving }, spentOn, policy);
  bounds.add(certificate, decision);
  const charged = judged.map((sentence, i) => ({
    ...sentence,
    charges: (certificate.charges[i] ?? []).map((charge) => ({
      entity: charge.entity,
      isWhole: isWhole(charge),
      ...openTo(charge, decision.toldTwins.get(charge.entity)),
    })),
  }));
  return {
    kept: charged.filter((_, i) => !decision.withheld[i]),
    entities: decision.entities,
    immovable: certificate.immovable,
    told: decision.told,
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

/** What `maxSentencesPerEntity` allows together with all that the ledger holds by now. */
export function underCap<R extends Release>(
  releases: readonly R[],
  ledger: Ledger,
  { maxSentencesPerEntity = Number.POSITIVE_INFINITY }: WithholdPolicy,
): R[] {
  requireCertifiedHistory(ledger);
  const counts = new Map<string, number>();
  const countOf = (entity: string) =>
    counts.get(entity) ?? ledger.entities.spentOn(entity).sentences;
  return releases.filter(({ charges }) => {
    const whole = charges.filter((charge) => charge.isWhole);
    const isAllowed = whole.every(({ entity }) => countOf(entity) < maxSentencesPerEntity);
    if (isAllowed) for (const { entity } of whole) counts.set(entity, countOf(entity) + 1);
    return isAllowed;
  });
}

function requireCertifiedHistory(ledger: Ledger): void {
  if (ledger.isCertified()) return;
  throw new TacetError(
    'history-uncertified',
    'the ledger holds releases that were never certified, or by an earlier version that counted too ' +
      'little, so no limit over its history can be stated; certify in a home that has released ' +
      'nothing, for notes that were never encoded',
  );
}
