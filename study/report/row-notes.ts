import type { CollectedRun } from '../runs/collect.js';
import { adversaryLearns } from '../runs/settings.js';

/** How long the adversary of one seed learned on. */
export interface LearnedOn {
  readonly seed: number;
  readonly epochs: number;
  /** By pairs of the validation notes. */
  readonly bestEpoch: number;
  /** The most epochs that the run's `audit` section allows. */
  readonly maxEpochs: number;
}

export function learningOf({ run, measurements }: CollectedRun): LearnedOn[] {
  if (!measurements?.adversary) return [];
  const { epochs, bestEpoch } = measurements.adversary;
  const { seed, audit } = run.config;
  return [{ seed, epochs, bestEpoch, maxEpochs: audit.maxEpochs }];
}

/** What a reader must know of the runs of a row: limits that they reached, what is missing, what was left out. */
export function notesOf(runs: readonly CollectedRun[]): string[] {
  const notes = new Set<string>();
  for (const { run, measurements } of runs) {
    for (const stage of new Set(run.epochs.map((epoch) => epoch.stage))) {
      const section: unknown = run.config[stage as keyof typeof run.config];
      const { maxEpochs = null } = { ...(section as { maxEpochs?: number } | undefined) };
      const epochs = run.epochs.filter((epoch) => epoch.stage === stage).length;
      if (epochs === maxEpochs) notes.add(`${stage} ended at its limit of ${maxEpochs} epochs`);
    }
    if (measurements?.bounds?.inequality)
      notes.add('its limit rests on a looser inequality, and has no entities');
    for (const [name, found] of Object.entries(measurements ?? {}))
      if (typeof found === 'object')
        for (const cut of found.shortened) notes.add(`${name}: ${cut}`);
  }
  const isUntaught = ({ run, measurements }: CollectedRun) =>
    measurements?.adversary && !adversaryLearns(run);
  if (runs.some(isUntaught)) notes.add('the adversary learned nothing before the freeze');
  for (const { epochs, maxEpochs } of runs.flatMap(learningOf))
    if (epochs === maxEpochs)
      notes.add(`the adversary learned on to its limit of ${epochs} epochs`);
  const heldOut = new Set(runs.flatMap(({ measurements }) => measurements?.heldOut ?? []));
  if (heldOut.size > 1) notes.add('seeds measured on different notes');
  const unmeasured = runs.filter(({ measurements }) => !measurements?.own).length;
  if (unmeasured > 0) notes.add(`${unmeasured} of ${runs.length} runs not measured`);
  return [...notes];
}

export function notesOfOthers(others: readonly CollectedRun[]): string[] {
  const names = others.map(({ name }) => name).join(', ');
  return names === '' ? [] : [`left out, since their seed is here already: ${names}`];
}
