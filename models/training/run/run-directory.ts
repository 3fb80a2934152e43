import path from 'node:path';
import { writeAtomically } from '../../../platform/files/draft-file.js';
import { isThere } from '../../../platform/files/is-there.js';
import { textIfThere } from '../../../platform/files/optional-file.js';
import { TacetError } from '../../../proto/errors.js';
import { Checkpoints } from './checkpoints.js';
import { type EpochRecord, MetricsFile } from './metrics-file.js';
import { requireSameConfiguration } from './run-configuration.js';
import type { StageState } from './stage-state.js';

const CONFIG = 'config.json';
const CHECKPOINTS = 'checkpoints';

/** Whether a run was begun in `directory`. */
export function hasRun(directory: string): Promise<boolean> {
  return isThere(path.join(directory, CONFIG));
}

/** Throws `file-not-found` where no run was begun in `directory`; `what` is what it is called. */
export async function requireRun(directory: string, what = 'run'): Promise<void> {
  if (await hasRun(directory)) return;
  throw new TacetError(
    'file-not-found',
    `${directory} holds no ${what} to resume: check the name, or leave --resume out to begin one`,
  );
}

/**
 * One training run on disk: `config.json`, `metrics.jsonl` with a line an epoch, and in
 * `checkpoints/` the newest state of every stage.
 */
export class RunDirectory {
  readonly #metrics: MetricsFile;
  readonly #checkpoints: Checkpoints;

  private constructor(readonly path: string) {
    this.#metrics = new MetricsFile(path);
    this.#checkpoints = new Checkpoints(`${path}/${CHECKPOINTS}`);
  }

  /**
   * Creates the directory, or with `resume` continues one whose configuration is the same. A key of
   * `defaults` that the run's file lacks is newer than the run, which went by its default. Throws
   * `file-exists`, or with `resume` `file-not-found` where no run was begun and `checkpoint-invalid`
   * where a file of the run is not what it is to continue from; `file-unreadable`, `disk-full` or
   * `file-unwritable`.
   */
  static async open(
    directory: string,
    config: unknown,
    { resume = false, defaults = {} }: { resume?: boolean; defaults?: object } = {},
  ): Promise<RunDirectory> {
    const file = path.join(directory, CONFIG);
    if (resume) await requireRun(directory);
    const existing = await textIfThere(file);
    if (existing !== undefined) {
      requireResumed(directory, resume);
      requireSameConfiguration(file, existing, config, defaults);
    }
    const run = new RunDirectory(directory);
    await run.#checkpoints.create();
    if (existing === undefined) await run.describe(CONFIG, config);
    else await run.#mend();
    return run;
  }

  /** Goes on with the run in the directory, or begins it where there is none. Throws as `open` does. */
  static async beginOrResume(directory: string, config: unknown): Promise<RunDirectory> {
    return RunDirectory.open(directory, config, { resume: await hasRun(directory) });
  }

  /** Writes a file of facts about the run beside its configuration. */
  async describe(name: string, facts: unknown): Promise<void> {
    const text = `${JSON.stringify(facts, null, 2)}\n`;
    await writeAtomically(path.join(this.path, name), text);
  }

  /** What was recorded of a stage's epochs, in order. */
  async epochs(stage: string): Promise<EpochRecord[]> {
    return (await this.#metrics.read()).filter((each) => each.stage === stage);
  }

  /**
   * Keeps the state of a stage after an epoch, whose record is appended to the metrics. Throws
   * `disk-full` or `file-unwritable`, and the checkpoint before is still there.
   */
  async save(state: StageState, record?: EpochRecord): Promise<void> {
    await this.#checkpoints.save(state, record);
    if (record) await this.#metrics.append(record);
  }

  /** The newest epoch of a stage that there is a checkpoint of; null where there is none. */
  lastEpoch(stage: string): Promise<number | null> {
    return this.#checkpoints.lastEpoch(stage);
  }

  /**
   * The newest checkpoint of a stage, or null when it never ended an epoch. Throws
   * `checkpoint-invalid`, naming the file that is missing or damaged.
   */
  latest(stage: string): Promise<StageState | null> {
    return this.#checkpoints.latest(stage);
  }

  /**
   * Whatever an interruption or a full disk left undone: half a line, an epoch that has a checkpoint
   * alone, weights that no checkpoint names.
   */
  async #mend(): Promise<void> {
    await this.#metrics.cutTornLine();
    const known = await this.#metrics.read();
    for (const record of await this.#checkpoints.mend()) {
      const isKnown = known.some(
        ({ stage, epoch }) => stage === record.stage && epoch === record.epoch,
      );
      if (!isKnown) await this.#metrics.append(record);
    }
  }
}

function requireResumed(directory: string, resume: boolean): void {
  if (resume) return;
  throw new TacetError(
    'file-exists',
    `${directory} already holds a run: choose another directory, or resume it`,
  );
}
