import { thresholdText } from '../../platform/threshold-text.js';
import { TacetError } from '../../proto/errors.js';
import type { ModelSetup } from '../encoder/model-calls.js';
import { ModelThread } from '../encoder/model-thread.js';
import type { ApprovalGrounds } from '../institution/approval/model-approval.js';
import {
  approveByRegistry,
  type RegistryAccess,
} from '../institution/approval/registry-grounds.js';
import type { Context } from './context.js';

/** How sure the model must be: from a probability, or from a recall on labelled notes. */
interface OperatingChoice {
  readonly threshold?: number | undefined;
  /** Labelled notes to choose the threshold by, with `recall`. */
  readonly dev?: string | undefined;
  readonly recall?: number | undefined;
}

/** Which pipeline finds PHI, and how sure it must be. */
export interface PipelineChoice extends OperatingChoice {
  /** The pipeline, the word vectors that it names, and who must have signed it. */
  readonly setup: Omit<ModelSetup, 'model' | 'scheme'> & { readonly pipeline: string };
  readonly grounds: ApprovalGrounds;
  /** Without it, what the registry of `grounds` says is not remembered. */
  readonly access?: RegistryAccess | undefined;
}

/** A pipeline that may be used. */
export interface ApprovedPipeline {
  readonly models: ModelThread;
  /** Of the bundle; of several that decide together, all of them. */
  readonly digest: string;
  readonly threshold: number | undefined;
}

type Work = Pick<Context, 'signal' | 'progress' | 'say'>;

/**
 * Opens a published pipeline on a thread of its own, for as long as `use` takes. Throws `usage` for options
 * that contradict each other, and as `verifyBundle` and `approveModel`.
 */
export async function withPipeline<T>(
  choice: PipelineChoice,
  context: Work,
  use: (pipeline: ApprovedPipeline) => Promise<T>,
): Promise<T> {
  const models = await ModelThread.start(choice.setup, context);
  try {
    const { pipeline, beside } = models.identities;
    const together = pipeline ? [pipeline, ...beside] : beside;
    if (pipeline) await approveByRegistry(pipeline, choice.grounds, choice.access, context);
    // The registry that was named is the first one's; of the others each is asked for where it came from.
    const grounds = { ...choice.grounds, registry: undefined };
    const access = choice.access && { ...choice.access, registry: undefined, tokenFile: undefined };
    for (const each of beside) await approveByRegistry(each, grounds, access, context);
    const threshold = await thresholdOf(choice, models, context);
    return await use({ models, digest: together.map(({ digest }) => digest).join('+'), threshold });
  } finally {
    await models.close();
  }
}

/** The threshold that was given, or the one that finds enough in the dev notes. */
async function thresholdOf(
  { threshold, dev, recall }: OperatingChoice,
  models: ModelThread,
  context: Work,
): Promise<number | undefined> {
  if ((dev === undefined) !== (recall === undefined))
    throw new TacetError('usage', '--dev and --recall go together');
  if (dev === undefined || recall === undefined) return threshold;
  if (threshold !== undefined)
    throw new TacetError('usage', 'give --threshold, or --dev and --recall');
  const point = await models.call('operatingPoint', { dev, recall }, context);
  context.say(
    `threshold ${thresholdText(point.threshold)}: recall ${point.recall.toFixed(4)}, ` +
      `precision ${point.precision.toFixed(4)} of tokens in the dev notes`,
  );
  return point.threshold;
}
