import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { pino } from 'pino';
import { createEncoderApp } from '../../../services/encoder/encoder-app.js';
import { encoderRoutes } from '../../../services/encoder/encoder-routes.js';
import { type EncoderOptions, EncoderService } from '../../../services/encoder/encoder-service.js';
import type { JobView } from '../../../services/encoder/jobs.js';
import type { ModelThread } from '../../../services/encoder/model-thread.js';
import type { AnsweredDocument } from '../../../services/encoder/request-schemas.js';
import { explainByPlace } from '../../../services/http/explained-error.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { listen, type RunningServer } from '../../../services/http/server.js';
import type { RecognizerResult } from '../../../services/institution/deidentify/presidio/recognizer-result.js';
import { Ledger } from '../../../services/institution/release/ledger/ledger.js';
import { notesOfDistinctLengths, WORDS } from '../institution/notes.js';
import {
  createPublisher,
  type Publisher,
  removePublisher,
  threadOf,
} from '../institution/publisher.js';

export const NOTES = notesOfDistinctLengths(30);

/** What any of the routes may answer. */
export type Answer = RecognizerResult[] & {
  readonly id: string;
  readonly text: string;
  readonly documents: readonly [AnsweredDocument];
};

/**
 * For the tests of a file: one published model and pipeline, below `root` a folder `input` with notes and a link to what
 * is outside of it, and a home for each test.
 */
export class ServedEncoder {
  models!: ModelThread;
  root!: string;
  home!: string;
  /** All that was logged. */
  log = '';
  #homes = 0;
  readonly logger = pino(
    { level: 'trace' },
    new Writable({
      write: (chunk, _encoding, done) => {
        this.log += chunk;
        done();
      },
    }),
  );
  readonly explain = explainByPlace(this.logger);

  constructor() {
    let publisher: Publisher;
    beforeAll(async () => {
      publisher = await createPublisher(WORDS);
      this.models = await threadOf(publisher);
      this.root = await mkdtemp(join(tmpdir(), 'tacet-encoder-'));
      await mkdir(join(this.root, 'input'));
      await writeFile(join(this.root, 'outside.jsonl'), '{}');
      await symlink(join(this.root, 'outside.jsonl'), join(this.root, 'input', 'link.jsonl'));
      const lines = NOTES.map((note) => JSON.stringify(note));
      await writeFile(join(this.root, 'input', 'notes.jsonl'), lines.join('\n'));
    });
    beforeEach(() => this.moveHome());
    afterAll(async () => {
      await this.models.close();
      await removePublisher(publisher);
      await rm(this.root, { recursive: true });
    });
  }

  moveHome(): void {
    this.home = join(this.root, `home-${this.#homes++}`);
  }

  async serving<T>(
    use: (url: string, service: EncoderService, server: RunningServer) => Promise<T>,
    token?: string,
    options: Partial<EncoderOptions> = {},
  ): Promise<T> {
    const { home, models, logger, explain } = this;
    (await Ledger.openOrMake(home)).close();
    const service = await EncoderService.open({
      home,
      models,
      approval: {},
      input: join(this.root, 'input'),
      threshold: 0.6,
      explain,
      ...options,
      // Of a test's few notes, most labels are of one alone.
      limits: { labelDocuments: 1, ...options.limits },
    });
    const app = createEncoderApp({
      routes: encoderRoutes(service),
      token,
      requireReady: () => service.requireReady(),
      logger,
      explain,
    });
    const server = await listen(app, { host: '127.0.0.1', port: 0, limits: DEFAULT_LIMITS });
    try {
      return await use(server.url, service, server);
    } finally {
      await service.close();
      await server.close();
    }
  }
}

export async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Answer };
}

/** What a job's events tell of it, once it has ended. */
export async function ended(url: string, id: string): Promise<JobView[]> {
  const text = await (await fetch(`${url}/v1/jobs/${id}/events`)).text();
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
}
