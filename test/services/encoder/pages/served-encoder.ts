import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { Document } from '../../../../models/text/document.js';
import { createEncoderApp } from '../../../../services/encoder/encoder-app.js';
import { encoderRoutes } from '../../../../services/encoder/encoder-routes.js';
import {
  type EncoderOptions,
  EncoderService,
} from '../../../../services/encoder/encoder-service.js';
import { encoderSite } from '../../../../services/encoder/pages/encoder-site.js';
import { explainByPlace } from '../../../../services/http/explained-error.js';
import { DEFAULT_LIMITS } from '../../../../services/http/limits.js';
import { listen } from '../../../../services/http/server.js';
import { Ledger } from '../../../../services/institution/release/ledger/ledger.js';
import { WORDS } from '../../institution/notes.js';
import { createPublisher, removePublisher, threadOf } from '../../institution/publisher.js';

/** An encoder with its pages, on a free port of this machine. */
export interface ServedEncoder {
  readonly url: string;
  readonly service: EncoderService;
  /** All that it has logged so far. */
  log(): string;
  close(): Promise<void>;
}

export interface ServedOptions extends Partial<EncoderOptions> {
  readonly token?: string;
  /** What lies in its input directory. */
  readonly notes?: readonly Document[];
}

export async function serveEncoder({
  token,
  notes = [],
  ...options
}: ServedOptions = {}): Promise<ServedEncoder> {
  const publisher = await createPublisher(WORDS);
  const models = await threadOf(publisher);
  const root = await mkdtemp(join(tmpdir(), 'tacet-encoder-pages-'));
  const [input, home] = [join(root, 'input'), join(root, 'home')];
  await mkdir(input);
  await writeFile(join(input, 'notes.jsonl'), notes.map((note) => JSON.stringify(note)).join('\n'));
  (await Ledger.openOrMake(home)).close();
  let log = '';
  const logger = pino(
    { level: 'trace' },
    new Writable({
      write(chunk, _encoding, done) {
        log += chunk;
        done();
      },
    }),
  );
  const explain = explainByPlace(logger);
  const service = await EncoderService.open({
    ...{ home, models, input, approval: {}, explain },
    ...options,
    // Of a test's few notes, most labels are of one alone.
    limits: { labelDocuments: 1, ...options.limits },
  });
  const app = createEncoderApp({
    ...{ routes: encoderRoutes(service), token, site: encoderSite(service, token) },
    ...{ requireReady: () => service.requireReady(), logger, explain },
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0, limits: DEFAULT_LIMITS });
  return {
    url: server.url,
    service,
    log: () => log,
    async close() {
      await service.close();
      await server.close();
      await models.close();
      await removePublisher(publisher);
      await rm(root, { recursive: true, force: true });
    },
  };
}
