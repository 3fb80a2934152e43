import { openEmbeddings } from '../../../models/embeddings/open.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { LocalTraining, type TrainingSettings } from '../../../models/federation/local-training.js';
import type { Guarantee } from '../../../models/federation/privacy-accounting.js';
import { privacyFor, SECURE_DRAWS } from '../../../models/federation/private-training.js';
import { localConfigOf, textNetwork } from '../../../models/federation/text-networks.js';
import { type LabelledText, textsOf } from '../../../models/networks/text-network.js';
import { Random } from '../../../models/tensor/random.js';
import { withSecureStream } from '../../../models/tensor/secure-stream.js';
import { documentsDigest } from '../../../models/text/documents-digest.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { TacetError } from '../../../proto/errors.js';
import { type FederationPlan, planDigest } from '../../../proto/federation-plan.js';
import { requireUnseen } from '../../../study/runs/unseen.js';
import type { Context } from '../context.js';
import { readLabelled } from '../train/run-material.js';
import type { WorkerOptions } from './join-federation.js';
import type { LearnedNotes } from './worker-home.js';

/** What a worker brings to a federation. */
export interface LocalNotes extends TrainingSettings {
  /** What was agreed upon: a coordinator cannot have it otherwise. */
  readonly procedure: string;
  readonly network: string;
  /** SHA-256 of the whole plan, where it was told otherwise than by the coordinator. */
  readonly plan?: string | undefined;
  /** The most that a note may cost by private averaging. */
  readonly most: Guarantee;
  readonly corpus: string;
  readonly heldOut?: string;
  readonly embeddings: string;
  readonly scheme: string;
}

/**
 * A worker's network over its notes, as the plan wants it. Throws `config-invalid` where the plan is not the one that was
 * agreed upon, its procedure, network, word vectors or labels are others, it promises less, or it does not say which weights
 * it begins with, before a note is read; `corpus-invalid` where a held-out note is one of those that are trained on.
 */
export async function localPart(
  plan: FederationPlan,
  agreed: LocalNotes,
  { signal, progress }: Pick<Context, 'signal' | 'progress'>,
): Promise<{
  readonly part: Pick<WorkerOptions, 'training' | 'privacy' | 'random'>;
  readonly heldOut: readonly LabelledText[] | undefined;
  /** The notes that are trained on. */
  readonly notes: LearnedNotes;
}> {
  const { corpus, heldOut, embeddings: file, scheme: schemeName } = agreed;
  requirePlan(plan, agreed.plan);
  requireAgreed('procedure', agreed.procedure, plan.procedure);
  requireAgreed('network', agreed.network, plan.network);
  requirePromise(plan, agreed.most);
  requireTraining('learning rate', '--learning-rate', agreed.learningRate, plan.learningRate);
  requireTraining('loss', '--loss', agreed.loss, plan.loss);
  const scheme = loadLabelScheme(schemeName);
  requireAgreed('label scheme', scheme.digest, plan.scheme);
  const notes = await readLabelled(corpus, scheme, signal);
  const measured = heldOut === undefined ? undefined : await readLabelled(heldOut, scheme, signal);
  if (measured) requireUnseen(notes, measured);
  const embeddings = await openEmbeddings(file, { signal, progress });
  requireAgreed('word vectors', embeddings.identity, plan.embeddings);
  const vocabulary = new Vocabulary(embeddings);
  const network = textNetwork(plan.network, scheme, vocabulary, new Random(plan.seed));
  const config = localConfigOf(plan.procedure, plan.network, plan);
  const texts = textsOf(notes, scheme).map((text) => network.read(text));
  return {
    part: {
      training: new LocalTraining(network, texts, config),
      random: ownRandom(),
      ...(plan.guarantee && {
        privacy: {
          ...privacyFor(plan.guarantee, plan.epochs, plan.learningRate),
          draws: SECURE_DRAWS,
        },
      }),
    },
    heldOut: measured && textsOf(measured, scheme),
    notes: { digest: documentsDigest(notes), documents: notes.length },
  };
}

/**
 * Seeded by the operating system: whoever could draw the order of notes and the dropout again could try what a note might
 * say until an epoch over it is the one that was sent. Nothing needs the draws twice, since an epoch is kept before it is sent.
 */
function ownRandom(): Random {
  return withSecureStream((fill) => {
    const key = new Uint32Array(2);
    fill(key);
    return Random.restore({ key: [key[0] as number, key[1] as number], counter: 0 });
  });
}

/** Throws `config-invalid`. */
export function requireAgreed(what: string, found: string, agreed: string): void {
  if (found === agreed) return;
  throw new TacetError(
    'config-invalid',
    `the ${what} here are not those of the plan (${found}; expected ${agreed})`,
  );
}

function requirePlan(plan: FederationPlan, agreed: string | undefined): void {
  if (plan.firstWeights === undefined)
    throw new TacetError(
      'config-invalid',
      'the plan does not say which weights the federation begins with, as one of an earlier version; ' +
        'have it created anew (tacet federation create)',
    );
  const digest = planDigest(plan);
  if (agreed === undefined || agreed === digest) return;
  throw new TacetError(
    'config-invalid',
    `the coordinator has another plan (its SHA-256 is ${digest}; agreed is ${agreed} here, --plan)`,
  );
}

/** At a rate of its choice a coordinator could have updates tell more than they need to. */
function requireTraining(
  what: string,
  option: string,
  found: number | string | undefined,
  agreed: number | string | undefined,
): void {
  if (found === agreed) return;
  const own = "the tagger's own";
  throw new TacetError(
    'config-invalid',
    `the plan states a ${what} of ${agreed ?? own}; agreed is ${found ?? own} here (${option})`,
  );
}

function requirePromise({ guarantee }: FederationPlan, most: Guarantee): void {
  if (guarantee === null) return;
  if (guarantee.epsilon <= most.epsilon && guarantee.delta <= most.delta) return;
  throw new TacetError(
    'config-invalid',
    `the plan lets a note cost an epsilon of ${guarantee.epsilon} at a delta of ${guarantee.delta}; agreed are ` +
      `${most.epsilon} and ${most.delta} at most (--epsilon, --delta)`,
  );
}
