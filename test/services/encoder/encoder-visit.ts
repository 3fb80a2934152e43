import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import type { Document } from '../../../models/text/document.js';
import { bytesBelow, unpacked } from '../byte-search.js';
import { browserLike } from '../http/pages/browser-like.js';
import { type Seen, watchProcess } from '../process-watch.js';
import { startRecordingProxy } from '../recording-proxy.js';

const MAIN = fileURLToPath(new URL('../../../services/cli/main.js', import.meta.url));

/** Notes that a person pastes into the page that de-identifies. */
const PASTED = 5;
const PAGES = ['/', '/share', '/jobs', '/models'];

/** What an institution's processes left anywhere, and what they did meanwhile. */
export interface Visit {
  /** Files, their names, lines, metrics, arguments, environments and what was sent. */
  readonly haystack: Buffer;
  /** One an `encode`, a `contribute` and a server. */
  readonly seen: readonly Seen[];
  readonly released: number;
  readonly proxyPort: number;
}

export interface VisitOptions {
  /** Where all of it happens; made here. */
  readonly folder: string;
  readonly texts: readonly Document[];
  /** Options of `encode` and of the server. */
  readonly encoding: readonly string[];
  /** Options of the server alone. */
  readonly deidentifying: readonly string[];
  /** Options of `contribute`. */
  readonly sender: readonly string[];
  readonly pool: string;
  readonly cache: string;
  /** What to end, last first, however far it came. */
  readonly closing: (() => unknown)[];
}

/** Encodes the texts, contributes them, and asks an encoder everything that it answers about them. */
export async function visitOf({
  folder,
  texts,
  encoding,
  deidentifying,
  sender,
  pool,
  cache,
  closing,
}: VisitOptions): Promise<Visit> {
  const at = (name: string) => join(folder, name);
  for (const name of ['tmp', 'user']) mkdirSync(at(name), { recursive: true });
  const proxy = await startRecordingProxy(pool);
  closing.push(proxy.close);
  const printed: Buffer[] = [];
  const seen: Seen[] = [];
  const start = (args: readonly string[]) => {
    const child = spawn(process.execPath, ['--no-warnings', MAIN, ...args], {
      env: {
        PATH: process.env.PATH,
        TACET_CACHE: cache,
        TMPDIR: at('tmp'),
        HOME: at('user'),
      },
    });
    closing.push(() => child.kill('SIGKILL'));
    const watch = watchProcess(child.pid ?? 0);
    child.stderr.on('data', (chunk) => printed.push(chunk));
    const ended = once(child, 'close').then(([code]) => {
      seen.push(watch.stop());
      return code as number | null;
    });
    return { child, ended };
  };
  const run = async (...args: string[]) => {
    const { child, ended } = start(args);
    child.stdout.on('data', (chunk) => printed.push(chunk));
    return ended;
  };
  const lines = texts.map(({ spans, ...note }) =>
    JSON.stringify({
      ...note,
      spans: spans.map(({ type: label, ...span }) => ({ label, ...span })),
    }),
  );
  const corpus = at('notes.jsonl');
  writeFileSync(corpus, `${lines.join('\n')}\n`, { mode: 0o600 });
  const home = ['--home', at('home')];
  expect(await run('--json', 'encode', corpus, ...encoding, '--new-home', at('home'))).toBe(0);
  const { released } = JSON.parse(printed.at(-1)?.toString() ?? '');
  expect(await run('contribute', ...home, ...sender, '--pool', proxy.url)).toBe(0);

  const serving = [...deidentifying, '--port', '0', '--log-level', 'debug'];
  const served = ['--new-home', at('served')];
  const { child, ended } = start([
    '--json',
    'encoder',
    'serve',
    ...encoding,
    ...serving,
    ...served,
  ]);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { encoder } = JSON.parse(line);
  const metricsOf = async () => (await fetch(`${encoder}/metrics`)).text();
  const post = (path: string, body: string) =>
    fetch(`${encoder}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
  const documents = JSON.stringify({ documents: texts });
  const answered = async (path: string, body: string, status: number) => {
    const response = await post(path, body);
    expect(response.status).toBe(status);
    const text = await response.text();
    printed.push(Buffer.from(text));
    return text;
  };
  await answered('/v1/encode', documents, 200);
  const { id } = JSON.parse(await answered('/v1/jobs', documents, 202));
  for (const path of [`/v1/jobs/${id}/events`, `/v1/jobs/${id}`, '/v1/jobs'])
    printed.push(Buffer.from(await (await fetch(`${encoder}${path}`)).text()));
  // De-identified notes are what a caller asks for; errors about notes are not.
  expect((await post('/v1/deidentify', documents)).status).toBe(200);
  for (const path of ['/v1/deidentify', '/v1/encode', '/analyze'])
    await answered(path, documents.slice(0, -5), 400);
  await answered('/v1/encode', documents.replaceAll('"start":', '"start":9'), 400);
  const person = browserLike(encoder);
  const form = { treatment: 'mask', language: 'en', threshold: '' };
  for (const { text } of texts.slice(0, PASTED))
    expect((await person.submit('/', { ...form, text })).status).toBe(200);
  // A page that is not the answer to a note holds none.
  const wrong = await person.submit('/', { ...form, text: texts[0].text, threshold: 'x' });
  expect(wrong.status).toBe(400);
  for (const page of [wrong, ...(await Promise.all(PAGES.map((path) => person.open(path))))])
    printed.push(Buffer.from(await page.text()));
  const job = await person.open(`/jobs/${id}`);
  printed.push(Buffer.from(await job.text()));
  printed.push(Buffer.from(await metricsOf()));
  child.kill('SIGTERM');
  await ended;
  await proxy.close();
  const around = seen.flatMap(({ surroundings }) => surroundings);
  const left = ['home', 'served', 'tmp', 'user'].map((name) => bytesBelow(at(name)));
  return {
    haystack: unpacked(Buffer.concat([...left, ...printed, ...around, proxy.sent])),
    seen,
    released,
    proxyPort: Number(new URL(proxy.url).port),
  };
}
