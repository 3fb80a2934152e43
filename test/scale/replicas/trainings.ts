import { setTimeout as delay } from 'node:timers/promises';
import type { TrainingJob } from '../../../pool-store/training/training-job.js';
import type { TrainingSite } from '../../services/cli/training-site.js';
import { spawnWorker, type WorkerProcess } from '../../services/cli/worker-process.js';
import { type Cluster, JOB_SECONDS } from './cluster.js';
import type { PoolClient } from './pool-client.js';

export const WORKERS = 2;
/** Under it all are published, each as a version of its own. */
const NAME = 'trained';
const POLL_MS = 500;

/** Workers at a cluster, what may befall them, and the jobs that they are given. */
export class Trainings {
  readonly jobs: TrainingJob[] = [];
  /** Those that ended unasked. */
  lost = 0;
  readonly #workers: WorkerProcess[] = [];
  #started = 0;
  #created = 0;

  constructor(
    private readonly cluster: Cluster,
    private readonly site: TrainingSite,
    private readonly config: object,
  ) {
    for (let i = 0; i < WORKERS; i++) this.#workers.push(this.#begin());
  }

  /** Ends a worker at once; another begins in an empty folder. */
  async replace(i: number): Promise<void> {
    await this.#end(i, 'SIGKILL');
    this.#workers[i] = this.#begin();
  }

  /** For longer than it has a job without a word. */
  async hold(i: number): Promise<void> {
    this.#workers[i]?.signal('SIGSTOP');
    await delay((JOB_SECONDS + 2) * 1000);
    this.#workers[i]?.signal('SIGCONT');
  }

  /** Asks for one job after another, each once the one before has ended, until `isOver`. */
  async give(client: PoolClient, isOver: () => boolean): Promise<void> {
    const { snapshot } = this.site;
    while (!isOver()) {
      const version = `1.0.${this.#created++}`;
      const asked = { snapshot, name: NAME, version, config: this.config };
      const { id } = await client.insist((i) =>
        client.json<TrainingJob>(i, 'POST', '/v1/training-jobs', asked),
      );
      this.jobs.push(await this.#ended(client, id));
    }
  }

  /** Exit statuses of the workers, asked to end. */
  async end(): Promise<(number | null)[]> {
    return Promise.all(this.#workers.map((_, i) => this.#end(i, 'SIGTERM')));
  }

  async #ended(client: PoolClient, id: string): Promise<TrainingJob> {
    for (;;) {
      const job = await client.insist((i) =>
        client.json<TrainingJob>(i, 'GET', `/v1/training-jobs/${id}`),
      );
      if (job.state !== 'queued' && job.state !== 'running') return job;
      await delay(POLL_MS);
    }
  }

  #begin(): WorkerProcess {
    const { site, cluster } = this;
    const args = [...site.workerArguments(`worker-${++this.#started}`), ...site.publishAs(NAME)];
    const worker = spawnWorker(args, cluster.world.tokens.consumer);
    void worker.ended.then(() => {
      if (this.#workers.includes(worker)) this.lost++;
    });
    return worker;
  }

  #end(i: number, signal: NodeJS.Signals): Promise<number | null> {
    const [worker] = this.#workers.splice(i, 1, undefined as never);
    return (worker as WorkerProcess).end(signal);
  }
}
