import { setImmediate } from 'node:timers/promises';
import { TacetError } from '../../../proto/errors.js';
import { divergenceError } from './divergence.js';
import type { StageContext } from './stage-context.js';
import type { Metrics, Step } from './step.js';

/**
 * A mean over tokens or pairs that is not below it comes from weights that are beyond use. (Fresh
 * weights on long input vectors may well begin with thousands.)
 */
const GREATEST_LOSS = 1e6;

/** How the steps are reported. */
interface StepsAbout {
  readonly label: string;
  readonly total?: number | undefined;
  /** Whether a line about the whole will follow. */
  readonly willFinish?: boolean;
}

/** Takes every step; returns the mean of each loss over them, how many they were and the tokens that they saw. */
export async function runSteps(
  steps: Iterable<Step> | AsyncIterable<Step>,
  { stage, epoch }: { readonly stage: string; readonly epoch: number },
  { label, total, willFinish = false }: StepsAbout,
  context: StageContext,
): Promise<{ means: Metrics; tokens: number; taken: number }> {
  const sums: Metrics = {};
  const counts: Metrics = {};
  let tokens = 0;
  let step = 0;
  for await (const batch of steps) {
    context.signal?.throwIfAborted();
    step += 1;
    const losses = await attempt(batch, { stage, epoch, step }, context);
    tokens += batch.tokens;
    for (const [name, value] of Object.entries(losses)) {
      if (!(Math.abs(value) < GREATEST_LOSS)) {
        const what = Number.isFinite(value) ? value.toPrecision(3) : 'not a number';
        throw await divergenceErrorAt({ stage, epoch, step }, `${name} is ${what}`, context);
      }
      sums[name] = (sums[name] ?? 0) + value;
      counts[name] = (counts[name] ?? 0) + 1;
    }
    const note = describe(losses);
    const amount = { done: tokens, ...(total !== undefined && { total }), unit: 'tokens' };
    context.progress?.({ step: label, ...amount, note, willFinish });
    await setImmediate();
  }
  const means = Object.fromEntries(
    Object.entries(sums).map(([name, sum]) => [name, sum / counts[name]]),
  );
  return { means, tokens, taken: step };
}

interface StepPosition {
  readonly stage: string;
  readonly epoch: number;
  readonly step: number;
}

/** Ops refuse what is not a number on their own; the message then says where in training that was. */
async function attempt(
  batch: Step,
  position: StepPosition,
  context: StageContext,
): Promise<Metrics> {
  try {
    return batch.run();
  } catch (error) {
    const isNumeric =
      error instanceof TacetError && ['tensor-invalid', 'training-diverged'].includes(error.code);
    throw isNumeric ? await divergenceErrorAt(position, error.message, context, error) : error;
  }
}

function divergenceErrorAt(
  { stage, epoch, step }: StepPosition,
  what: string,
  context: StageContext,
  cause?: Error,
): Promise<TacetError> {
  return divergenceError(stage, `${stage}, epoch ${epoch}, step ${step}`, what, context, cause);
}

function describe(losses: Metrics): string {
  return Object.entries(losses)
    .map(([name, value]) => `${name} ${value.toFixed(4)}`)
    .join('  ');
}
