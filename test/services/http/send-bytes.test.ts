import { get, type IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { NO_CONTENT } from '../../../services/http/answer.js';
import { createApp } from '../../../services/http/app.js';
import { explainInFull } from '../../../services/http/explained-error.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { Metrics } from '../../../services/http/metrics.js';
import { route } from '../../../services/http/route.js';
import { sendBytes } from '../../../services/http/send-bytes.js';
import { listen } from '../../../services/http/server.js';
import { CHUNKS } from '../../../services/http/stream-turns.js';
import { endAfterTests } from '../left-over.js';

const READERS = 8;
const TURNS = 50;
/** More than a connection takes before it asks to wait. */
const CHUNK = new Uint8Array(65_536);

test('streams give way to whatever else a server is asked', async () => {
  let made = 0;
  let isOver = false;
  const chunks = async function* () {
    while (!isOver) {
      made++;
      yield CHUNK;
      await setImmediate();
    }
  };
  /** Chunks that were made in each turn of the event loop while another request was answered. */
  const perTurn: number[] = [];
  const answering = (path: string, handle: Parameters<typeof route>[0]['handle']) =>
    route({ method: 'get', path, summary: path, answer: NO_CONTENT, handle });
  const logger = pino({ level: 'silent' });
  const app = createApp({
    ...{ name: 'pool', openRoutes: [], maxBytes: 1000, logger, metrics: new Metrics('pool') },
    access: { guard: () => (_request, _response, next) => next() },
    explain: explainInFull(logger),
    routes: [
      answering('/stream', ({ response }) => sendBytes(chunks(), response)),
      answering('/other', async () => {
        for (let turn = 0; turn < TURNS; turn++) {
          const before = made;
          await setImmediate();
          perTurn.push(made - before);
        }
      }),
    ],
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0, limits: DEFAULT_LIMITS });
  endAfterTests(() => server.close());
  const ask = (path: string) =>
    new Promise<IncomingMessage>((resolve, reject) =>
      get(server.url + path, (answer) => resolve(answer.resume())).on('error', reject),
    );
  const ended = (answer: IncomingMessage) => new Promise((resolve) => answer.once('end', resolve));
  const readers = await Promise.all(Array.from({ length: READERS }, () => ask('/stream')));
  const ends = readers.map(ended);
  await ask('/other');
  isOver = true;
  await Promise.all(ends);
  expect(perTurn).toHaveLength(TURNS);
  // The first chunk of each was made before it could know.
  expect(Math.max(...perTurn.slice(READERS))).toBeLessThanOrEqual(CHUNKS);
});
