import { TacetError } from '../../../proto/errors.js';
import type { NamedArrays } from '../../networks/named-arrays.js';
import type { Random } from '../../tensor/random.js';
import { requireConverged } from './divergence.js';
import { epochLine } from './epoch-line.js';
import type { EpochRecord } from './metrics-file.js';
import { runSteps } from './run-steps.js';
import type { AnyStage, Remedy, StageResult } from './stage.js';
import type { StageContext } from './stage-context.js';
import type { StageState } from './stage-state.js';
import type { Metrics } from './step.js';

/**
 * Trains until the monitored loss stops falling, then restores the best epoch's weights. After each
 * epoch the whole state is checkpointed; a later call with the same run directory continues there.
 * Throws `training-diverged`, or `checkpoint-invalid` where the checkpoint is of other networks.
 */
export async function runStage(stage: AnyStage, context: StageContext): Promise<StageResult> {
  try {
    const saved = await context.run?.latest(stage.name);
    let state: StageState = saved ?? initialState(stage, context);
    if (saved) restore(stage, saved);
    if (state.remedyDue) state = await remedyAgain(stage, state, context);
    while (!state.finished) state = await runEpoch(stage, state, context);
    await requireConverged(state, stage.guessing, context);
    for (const [name, arrays] of Object.entries(state.bestNetworks)) {
      stage.networks[name].load(arrays);
    }
    const { epoch, bestEpoch, best, remedies = 0 } = state;
    return { epochs: epoch, bestEpoch, best, remedies };
  } finally {
    for (const optimiser of Object.values(stage.optimisers)) optimiser.dispose();
  }
}

/** The epoch is kept before its remedy, which may take as long as several epochs. */
async function runEpoch(
  stage: AnyStage,
  before: StageState,
  context: StageContext,
): Promise<StageState> {
  const epoch = before.epoch + 1;
  const startedMs = performance.now();
  const place = { stage: stage.name, epoch };
  const steps = stage.batches(randomOf(stage, epoch, context).fork('train'), epoch);
  const label = `${stage.name}, epoch ${epoch} of ${stage.maxEpochs}`;
  const about = { label, total: stage.tokensPerEpoch, willFinish: true };
  const { means, tokens, taken } = await runSteps(steps, place, about, context);
  if (taken === 0)
    throw new TacetError('corpus-invalid', `${stage.name}: no note to train on has what it needs`);
  const networks = snapshot(stage);
  const { validation, judged } = judge(stage, epoch, context);
  const better = isBetter(stage, { validation, epoch }, before);
  const bestEpoch = better ? epoch : before.bestEpoch;
  const finished =
    epoch >= stage.maxEpochs || epoch - bestEpoch >= stage.patience || context.expired?.() === true;
  const remedy = finished ? null : remedyOf(stage, epoch, validation, context);
  const state: StageState = {
    stage: stage.name,
    epoch,
    bestEpoch,
    best: better ? validation : before.best,
    finished,
    remedies: (before.remedies ?? 0) + (remedy ? 1 : 0),
    remedyDue: remedy !== null,
    networks,
    bestNetworks: better ? judged : before.bestNetworks,
    optimisers: optimiserStates(stage),
  };
  const seconds = (performance.now() - startedMs) / 1000;
  const record: EpochRecord = { ...place, train: means, validation, tokens, seconds };
  const whole = { ...record, ...(remedy && { remedy: remedy.note }) };
  await context.run?.save(state, whole);
  const { maxEpochs } = stage;
  const line = epochLine(whole, { maxEpochs, bestEpoch, isLast: finished });
  context.progress?.({ step: about.label, done: tokens, unit: 'tokens', finished: line });
  await context.epochKept?.(epoch);
  return remedy ? applyRemedy(stage, state, remedy, context) : state;
}

/** What is validated, and kept where it is the best: averages of the weights where an optimiser has some. */
function judge(stage: AnyStage, epoch: number, context: StageContext) {
  const back = Object.values(stage.optimisers).map((each) => each.useAverages?.());
  try {
    return { validation: validate(stage, epoch, context), judged: snapshot(stage) };
  } finally {
    // Two learners may move the same weights: what the first one found there is put back last.
    for (const putBack of back.reverse()) putBack?.();
  }
}

/** All randomness of an epoch and of its remedy. */
function randomOf(stage: AnyStage, epoch: number, { random }: StageContext): Random {
  return random.fork(`${stage.name}/epoch-${epoch}`);
}

function remedyOf(
  stage: AnyStage,
  epoch: number,
  validation: Metrics,
  context: StageContext,
): Remedy | null {
  const random = randomOf(stage, epoch, context).fork('remedy');
  return stage.remedy?.(random, epoch, validation) ?? null;
}

/** The remedy that an interruption cut off, from the weights of its epoch on. */
async function remedyAgain(
  stage: AnyStage,
  state: StageState,
  context: StageContext,
): Promise<StageState> {
  const { epoch } = state;
  const remedy = remedyOf(stage, epoch, judge(stage, epoch, context).validation, context);
  return remedy ? applyRemedy(stage, state, remedy, context) : state;
}

async function applyRemedy(
  stage: AnyStage,
  { remedyDue: _, ...before }: StageState,
  remedy: Remedy,
  context: StageContext,
): Promise<StageState> {
  const { epoch } = before;
  const label = `${stage.name}, after epoch ${epoch}: ${remedy.note}`;
  context.progress?.({ step: label, done: 0 });
  await runSteps(remedy.apply(), { stage: stage.name, epoch }, { label }, context);
  const state = { ...before, networks: snapshot(stage), optimisers: optimiserStates(stage) };
  await context.run?.save(state);
  return state;
}

function isBetter(
  stage: AnyStage,
  { validation, epoch }: { validation: Metrics & { monitor: number }; epoch: number },
  { best, bestEpoch }: StageState,
): boolean {
  if (best === null) return true;
  const counts = (metrics: Metrics, of: number) => stage.counts?.(metrics, of) ?? true;
  if (!counts(best, bestEpoch)) return true;
  return counts(validation, epoch) && validation.monitor < best.monitor;
}

/** Every epoch is judged with the same pairs and the same noise, so that none is best by luck. */
function validate(stage: AnyStage, epoch: number, context: StageContext) {
  const metrics = stage.validate(context.random.fork(`${stage.name}/validate`), epoch);
  if (Number.isFinite(metrics.monitor)) return metrics;
  throw new TacetError(
    'training-diverged',
    `${stage.name}, epoch ${epoch}: the validation loss is ${metrics.monitor}; ` +
      'are there validation notes with PHI that can move, and is the learning rate low enough?',
  );
}

function initialState(stage: AnyStage, context: StageContext): StageState {
  const networks = snapshot(stage);
  return {
    stage: stage.name,
    epoch: 0,
    bestEpoch: 0,
    best: stage.startCounts ? validate(stage, 0, context) : null,
    finished: stage.maxEpochs === 0,
    networks,
    bestNetworks: networks,
    optimisers: {},
  };
}

function snapshot(stage: AnyStage): Record<string, NamedArrays> {
  return Object.fromEntries(
    Object.entries(stage.networks).map(([name, parameters]) => [name, parameters.toArrays()]),
  );
}

function optimiserStates(stage: AnyStage): Record<string, NamedArrays> {
  return Object.fromEntries(
    Object.entries(stage.optimisers).map(([name, optimiser]) => [name, optimiser.state()]),
  );
}

function restore(stage: AnyStage, state: StageState): void {
  requireNetworks(stage, state.networks);
  requireNetworks(stage, state.bestNetworks);
  for (const [name, parameters] of Object.entries(stage.networks)) {
    parameters.load(state.networks[name]);
  }
  for (const [name, optimiser] of Object.entries(stage.optimisers)) {
    const saved = state.optimisers[name];
    if (saved) optimiser.restore(saved);
  }
}

function requireNetworks(stage: AnyStage, found: StageState['networks']): void {
  const [own, others] = [stage.networks, found].map((each) => Object.keys(each).sort().join(', '));
  if (own === others) return;
  throw new TacetError(
    'checkpoint-invalid',
    `the checkpoint of ${stage.name} holds the networks ${others || 'none'}, expected ${own}: go on ` +
      'with the run that it is of, or train in another directory',
  );
}
