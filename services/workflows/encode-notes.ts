import { TacetError } from '../../proto/errors.js';
import { ModelThread } from '../encoder/model-thread.js';
import type { Approval } from '../institution/approval/approval.js';
import { encodingLimits } from '../institution/approval/policy.js';
import {
  approveByRegistry,
  type RegistryAccess,
} from '../institution/approval/registry-grounds.js';
import { pipelineGrounds } from '../institution/approval/standing-approval.js';
import type { EncodeReport } from '../institution/release/job/encode-report.js';
import type { Context } from './context.js';
import { homeToEncodeIn, type NamedHome, type NamedNotes } from './encoder-home.js';
import { type EntityTerms, readingOf, treatmentOf } from './entity-terms.js';
import { sayOtherFiles } from './left-out-files.js';

/** Labelled notes to encode, with what, and where to. */
export interface EncodingJob extends NamedHome, NamedNotes, EntityTerms {
  readonly input: NonNullable<NamedNotes['input']>;
  /** The representation bundle. */
  readonly model: string;
  /** File of the word vectors that it names, or `wink`. */
  readonly embeddings: string;
  /** Name or file of a label scheme, where the policy names none; the bundle's own by default. */
  readonly scheme?: string | undefined;
  readonly approval: Approval;
  /** Without it, what the registry of `approval` says is not remembered. */
  readonly access?: RegistryAccess | undefined;
  readonly backend?: string | undefined;
  /** Counts what would be released, and releases nothing. */
  readonly dryRun?: boolean | undefined;
  /** Keeps a local map from releases to sentences. */
  readonly keepMap?: boolean | undefined;
  /** Leaves out documents that cannot be read. */
  readonly skipBad?: boolean | undefined;
  /** As of `EncodeOptions`. */
  readonly withoutPhi?: boolean | undefined;
}

type Work = Pick<Context, 'signal' | 'progress' | 'say'>;

/**
 * Encodes notes into the outbox of a home, each sentence once, within the limits of the policy. The
 * model must be approved first. Throws as `homeToEncodeIn`, `verifyBundle`, `approveModel` and `encode`.
 */
export async function encodeNotes(job: EncodingJob, context: Work): Promise<EncodeReport> {
  const { input, skipBad, dryRun, keepMap, withoutPhi, approval, access } = job;
  const { policy } = approval;
  const treatment = await treatmentOf(job, policy);
  const reading = readingOf(job, policy, treatment.entities);
  const { directory: home, mayMake } = await homeToEncodeIn(job, policy, context);
  const models = await ModelThread.start(setupOf(job), context);
  try {
    const { model, pipeline } = models.identities;
    if (model) await approveByRegistry(model, approval, access, context);
    if (pipeline) await approveByRegistry(pipeline, pipelineGrounds(approval), access, context);
    const limits = policy && encodingLimits(policy, treatment);
    const asked = { dryRun, keepMap, withoutPhi, requireHome: !mayMake };
    const options = { ...limits, ...treatment, ...asked };
    const call = { input, skipBad, home, options, reading };
    const report = await models.call('encode', call, context);
    if (typeof input === 'string') await sayOtherFiles(input, context);
    if (report.bad > 0) context.say(`left out ${report.bad} documents that could not be read`);
    return report;
  } finally {
    await models.close();
  }
}

function setupOf({ approval: { policy, trust }, ...job }: EncodingJob) {
  const { model, embeddings, scheme, backend, reader: pipeline } = job;
  if (policy?.labelScheme !== undefined && scheme !== undefined)
    throw new TacetError('usage', '--scheme: the policy names the label scheme');
  return { trust, embeddings, model, pipeline, scheme: policy?.labelScheme ?? scheme, backend };
}
