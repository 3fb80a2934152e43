import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createEncoderApp } from '../../../services/encoder/encoder-app.js';
import { encoderRoutes } from '../../../services/encoder/encoder-routes.js';
import type { EncoderService } from '../../../services/encoder/encoder-service.js';
import type { JobView } from '../../../services/encoder/jobs.js';
import { endlessEncoder, explain } from './endless-models.js';

let home: string;
let service: EncoderService;
let server: Server;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'tacet-bodies-'));
  service = await endlessEncoder(home);
  const logger = pino({ level: 'silent' });
  server = createServer(createEncoderApp({ routes: encoderRoutes(service), logger, explain }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  await service.close();
  server.closeAllConnections();
  server.close();
  await rm(home, { recursive: true });
});

async function post(path: string, body: string): Promise<{ status: number; body: unknown }> {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  return { status: response.status, body: await response.json() };
}

describe('a body of millions of tiny objects', () => {
  const tiny = `[${'{},'.repeat(2_000_000)}{}]`;

  test.each([
    ['/v1/encode', `{"documents":${tiny}}`],
    ['/v1/jobs', `{"documents":[{"text":"a","spans":${tiny}}]}`],
    ['/v1/deidentify', `{"unknown":${tiny}}`],
  ])('is refused by %s before it is parsed, with what to do', async (path, body) => {
    expect(await post(path, body)).toMatchObject({
      status: 400,
      body: {
        code: 'request-invalid',
        detail:
          'the body: lists and objects hold more than 3000000 values; send fewer in each request',
      },
    });
  });

  test('is refused in the words of Presidio and of FHIR', async () => {
    expect(await post('/anonymize', `{"text":"a","analyzer_results":${tiny}}`)).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining('more than 3000000 values') },
    });
    expect(await post('/$de-identify', `{"resourceType":"Bundle","entry":${tiny}}`)).toMatchObject({
      status: 400,
      body: { resourceType: 'OperationOutcome' },
    });
  });
});

describe('documents of jobs that wait', () => {
  /** 60 MB in memory. */
  const documents = [{ id: 'a', text: 'a'.repeat(30_000_000), spans: [] }];

  test('take no more memory than they may together, and others wait still', async () => {
    const running = await service.encodeDocuments(documents);
    const waiting: JobView[] = [];
    for (let i = 0; i < 4; i++) waiting.push(await service.encodeDocuments(documents));
    const refused = {
      code: 'store-busy',
      message: expect.stringMatching(/documents of jobs that wait.*try again later/),
    };
    await expect(service.encodeDocuments(documents)).rejects.toMatchObject(refused);
    expect((await service.encodeDocuments([])).state).toBe('waiting');

    service.jobs.cancel(waiting[0].id);
    await service.encodeDocuments(documents);
    await expect(service.encodeDocuments(documents)).rejects.toMatchObject(refused);
    // The next one begins, and waits no more.
    service.jobs.cancel(running.id);
    await service.jobs.result(running.id).catch(() => {});
    await service.encodeDocuments(documents);
  });
});
