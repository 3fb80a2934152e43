import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JobView } from '../../../services/encoder/jobs.js';
import { lengthsOf, notesOfDistinctLengths, outgoing, WORDS } from '../institution/notes.js';
import {
  cacheOf,
  createPublisher,
  type Publisher,
  removePublisher,
} from '../institution/publisher.js';
import { type EncoderProcess, startEncoder } from './encoder-process.js';

const NOTES = notesOfDistinctLengths(100);
const LENGTHS = NOTES.map((_, i) => i + 2);
const [IN_FILES, SENT] = [NOTES.slice(0, 50), NOTES.slice(50)];
/** After so many events of its jobs the encoder is killed. */
const KILLS = [1, 3];

describe('an encoder that is killed with SIGKILL during its jobs', () => {
  let publisher: Publisher;
  let root: string;
  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
    root = await mkdtemp(join(tmpdir(), 'tacet-kill-'));
    await mkdir(join(root, 'input'));
    const lines = IN_FILES.map((note) => JSON.stringify(note));
    await writeFile(join(root, 'input', 'notes.jsonl'), lines.join('\n'));
    const policy = {
      ...{ publisherKeys: [publisher.publicKeyFile], maxReleases: 1, minDocuments: 1 },
      // A note has the length that it is known by.
      labelDocuments: 1,
    };
    await writeFile(join(root, 'policy.json'), JSON.stringify(policy));
  });
  afterAll(async () => {
    await removePublisher(publisher);
    await rm(root, { recursive: true });
  });

  const start = (): Promise<EncoderProcess> => {
    const home = existsSync(join(root, 'home')) ? '--home' : '--new-home';
    const options = [
      ...[home, join(root, 'home'), '--input', join(root, 'input'), '--port', '0'],
      ...['--model', publisher.representation, '--policy', join(root, 'policy.json')],
      ...['--embeddings', publisher.embeddingsFile],
    ];
    return startEncoder(options, { TACET_CACHE: cacheOf(publisher.root) });
  };
  const end = async ({ child }: EncoderProcess, signal: NodeJS.Signals) => {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  const submit = async (url: string, body: unknown) => {
    const response = await fetch(`${url}/v1/jobs`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(202);
    return ((await response.json()) as JobView).id;
  };
  const list = async (url: string) => (await (await fetch(`${url}/v1/jobs`)).json()) as JobView[];
  const follow = async (url: string, id: string, enough: number) => {
    const events = await fetch(`${url}/v1/jobs/${id}/events`);
    let seen = 0;
    const { body } = events;
    if (!body) throw new Error('no events');
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      seen += chunk.split('data: ').length - 1;
      if (seen >= enough) break;
    }
  };

  test('finds them again: files go on, documents are reported, nothing is released twice', async () => {
    let encoder = await start();
    const fileJob = await submit(encoder.url, { input: 'notes.jsonl', withoutPhi: true });
    const sent: string[] = [];
    for (const events of KILLS) {
      sent.push(await submit(encoder.url, { documents: SENT }));
      await follow(encoder.url, fileJob, events);
      await end(encoder, 'SIGKILL');
      encoder = await start();
      const found = await list(encoder.url);
      expect(found.map(({ id }) => id)).toEqual([fileJob, ...sent]);
      for (const { id, state, problem } of found.slice(1)) {
        expect(['done', 'interrupted']).toContain(state);
        if (state === 'interrupted')
          expect([id, problem]).toEqual([id, expect.objectContaining({ code: 'interrupted' })]);
      }
    }
    await follow(encoder.url, fileJob, Number.POSITIVE_INFINITY);
    const last = await submit(encoder.url, { documents: SENT });
    await follow(encoder.url, last, Number.POSITIVE_INFINITY);
    const found = await list(encoder.url);
    for (const id of [fileJob, last])
      expect(found.find((job) => job.id === id)).toMatchObject({ state: 'done' });
    await end(encoder, 'SIGTERM');
    const released = lengthsOf(await outgoing(join(root, 'home')));
    expect(released.sort((a, b) => a - b)).toEqual(LENGTHS);
  }, 240_000);
});
