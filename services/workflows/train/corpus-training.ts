import path from 'node:path';
import type { TrainingConfig } from '../../../models/training/configuration/config.js';
import { hasRun, requireRun } from '../../../models/training/run/run-directory.js';
import type { Context } from '../context.js';
import { sayOtherFiles } from '../left-out-files.js';
import { withRunLock } from './run-lock.js';
import { type NotesOptions, readNotes } from './run-material.js';
import { requireNoBundles } from './training-bundles.js';
import { readConfig } from './training-config.js';
import { isTrained, type TrainingReport, trainRun } from './training-run.js';
import type { TrainingTask } from './training-task.js';
import { readUnlabelled, requireApart, requireGeneralObjective } from './unlabelled-text.js';

/** A training on a corpus: with one seed into `out`, or with several into `out/seed-K`. */
export interface CorpusTraining
  extends NotesOptions,
    Pick<TrainingTask, 'training' | 'backend' | 'name' | 'version'> {
  /** A file, or the name of a configuration that Tacet comes with. */
  readonly config?: string;
  /** Files or folders of public text without labels. */
  readonly unlabelled?: readonly string[];
  readonly out: string;
  /** Trains with seeds 1 to this. */
  readonly seeds?: number;
  /** Goes on with what was begun; of several seeds, runs that have ended are left alone. */
  readonly resume?: boolean;
}

/** A run, and what it came to; null where it had come to its end before. */
export interface CorpusRun {
  readonly directory: string;
  readonly report: TrainingReport | null;
}

interface PlannedRun {
  readonly directory: string;
  readonly config: TrainingConfig;
}

type Work = Pick<Context, 'signal' | 'progress' | 'say'>;

/**
 * Trains on a corpus, one run after another. Throws `file-not-found` where there is nothing to resume, `file-exists` as
 * `requireNoBundles`, `run-busy` where another process works on a run, and as reading notes and configurations does.
 */
export async function trainOnCorpus(request: CorpusTraining, context: Work): Promise<CorpusRun[]> {
  const { training, out, seeds, resume = false } = request;
  const config = await readConfig(request.config, {}, training.kind);
  requireGeneralObjective([config], request.unlabelled);
  const planned = plannedRuns(out, seeds, config);
  const begun = await Promise.all(planned.map(({ directory }) => hasRun(directory)));
  if (resume && !begun.includes(true)) await requireRun(out);
  for (const { directory } of planned) await requireNoBundles(directory);
  const unlabelled = await readUnlabelled(request.unlabelled, context.signal);
  await sayOtherFiles(request.corpus, context);
  const material = await readNotes(request, context);
  requireApart(unlabelled, material);
  const { backend, name, version } = request;
  const runs: CorpusRun[] = [];
  for (const run of planned) {
    const { directory } = run;
    const report = await withRunLock(directory, async () => {
      const goesOn = resume && (await hasRun(directory));
      const notes = { material, unlabelled };
      const task = { ...run, training, ...notes, backend, name, version, resume: goesOn };
      const isDone = seeds !== undefined && resume && (await isTrained(task));
      return isDone ? null : trainRun(task, context);
    });
    runs.push({ directory, report });
  }
  return runs;
}

function plannedRuns(out: string, seeds: number | undefined, config: TrainingConfig): PlannedRun[] {
  if (seeds === undefined) return [{ directory: out, config }];
  return Array.from({ length: seeds }, (_, i) => ({
    directory: path.join(out, `seed-${i + 1}`),
    config: { ...config, seed: i + 1 },
  }));
}
