import { setImmediate } from 'node:timers/promises';
import { TacetError } from '../../proto/errors.js';
import type { Metrics, StageContext, Step } from './stage.js';

/**
 * A mean over tokens or pairs that is not below it comes from weights that are beyond use. (Fresh
 * weights on long input vectors may well begin with thousands.)
 */
const GREATEST_LOSS = 1e6;

/** Takes every step; returns the mean of each loss over them, and the tokens that they saw. */
export async function runSteps(
  steps: Iterable<Step> | AsyncIterable<Step>,
  { stage, epoch }: { readonly stage: string; readonly epoch: number },
  { label, total }: { readonly label: string; readonly total?: number | undefined },
  context: StageContext,
): Promise<{ means: Metrics; tokens: number }> {
  const sums: Metrics = {};
  const counts: Metrics = {};
  let tokens = 0;
  let step = 0;
  for await (const batch of steps) {
    context.signal?.throwIfAborted();
    step += 1;
    const losses = attempt(batch, { stage, epoch, step }, context);
    tokens += batch.tokens;
    for (const [name, value] of Object.entries(losses)) {
      if (!(Math.abs(value) < GREATEST_LOSS)) {
        const what = Number.isFinite(value) ? value.toPrecision(3) : 'not a number';
        throw diverged({ stage, epoch, step }, `${name} is ${what}`, context);
      }
      sums[name] = (sums[name] ?? 0) + value;
      counts[name] = (counts[name] ?? 0) + 1;
    }
    const note = describe(losses);
    const amount = { done: tokens, ...(total !== undefined && { total }), unit: 'tokens' };
    context.progress?.({ step: label, ...amount, note });
    await setImmediate();
  }
  if (step === 0) {
    throw new TacetError('corpus-invalid', `${stage}: no note to train on has what it needs`);
  }
  const means = Object.fromEntries(
    Object.entries(sums).map(([name, sum]) => [name, sum / counts[name]]),
  );
  return { means, tokens };
}

interface Place {
  readonly stage: string;
  readonly epoch: number;
  readonly step: number;
}

/** Ops refuse what is not a number on their own; the message then says where in training that was. */
function attempt(batch: Step, place: Place, context: StageContext): Metrics {
  try {
    return batch.run();
  } catch (error) {
    const isNumeric =
      error instanceof TacetError && ['tensor-invalid', 'training-diverged'].includes(error.code);
    throw isNumeric ? diverged(place, error.message, context, error) : error;
  }
}

function diverged(
  { stage, epoch, step }: Place,
  what: string,
  { run }: StageContext,
  cause?: Error,
): TacetError {
  const checkpoint = run ? `the last good checkpoint is in ${run.path}` : 'no checkpoint was kept';
  return new TacetError(
    'training-diverged',
    `${stage}, epoch ${epoch}, step ${step}: ${what}; ${checkpoint}; try a lower learning rate`,
    { cause },
  );
}

function describe(losses: Metrics): string {
  return Object.entries(losses)
    .map(([name, value]) => `${name} ${value.toFixed(4)}`)
    .join('  ');
}
