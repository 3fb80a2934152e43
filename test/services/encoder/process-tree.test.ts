import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateNotes } from '../../../models/synthetic/generate-notes.js';
import { Random } from '../../../models/tensor/random.js';
import { readCorpus } from '../../../models/text/corpus/read-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { tokenise } from '../../../models/text/tokeniser.js';
import { bytesBelow, countOf, decoded, unpacked } from '../byte-search.js';
import { type Seen, watchProcess } from '../process-watch.js';
import { startRecordingProxy } from '../recording-proxy.js';
import { createWorld, serve } from '../world.js';
import { cacheOf, createPublisher, removePublisher } from './publisher.js';

const MAIN = fileURLToPath(new URL('../../../services/cli/main.js', import.meta.url));
const DATA = resolve(process.env.TACET_DATA ?? '../shared/data', 'meddocan', 'dev');
const NOTES = 6;
const CANARIES = 20;

const random = new Random(Date.now() % 2 ** 31);

function canary(): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz';
  return Array.from({ length: 12 }, () => alphabet[random.integer(26)]).join('');
}

/** Real notes where they are at hand, generated ones elsewhere. */
async function notes(): Promise<Document[]> {
  if (!existsSync(DATA))
    return [...generateNotes({ seed: random.integer(1000), documents: NOTES })];
  const found: Document[] = [];
  for await (const document of readCorpus(DATA)) {
    found.push(document);
    if (found.length === NOTES) break;
  }
  return found;
}

/** Canaries before, within and after the text, each once as a name and once as a word. */
function planted(document: Document, canaries: readonly string[]) {
  const text = `${canaries.join(' ')}.\n\n${document.text}\n\nSeen with ${canaries.join(' and ')}.`;
  const spans = canaries.map((each) => {
    const start = text.lastIndexOf(each);
    return { type: 'PHI', start, end: start + each.length };
  });
  return { id: canaries[0] ?? 'note', text, spans };
}

const linux = process.platform === 'linux' ? describe : describe.skip;

linux('the process tree of an encoder', () => {
  const root = mkdtempSync(join(tmpdir(), 'tacet-tree-'));
  const canaries = Array.from({ length: CANARIES }, canary);
  let words: string[];
  let haystack: Buffer;
  let control: Buffer;
  let seen: Seen[];
  let proxyPort: number;
  let released: number;
  /** What to end, last first, however far the preparation came. */
  const closing: (() => unknown)[] = [];

  beforeAll(async () => {
    for (const name of ['tmp', 'user', 'input']) mkdirSync(join(root, name));
    const share = CANARIES / NOTES;
    const texts = (await notes()).map((note, i) =>
      planted(note, canaries.slice(Math.floor(i * share), Math.floor((i + 1) * share))),
    );
    words = [
      ...new Set(texts.flatMap(({ text }) => tokenise(text).map((token) => token.text))),
    ].filter((word) => word.length >= 8);
    const known = [...new Set(words.map((word) => word.toLowerCase()))].filter(
      (_, i) => i % 2 === 0,
    );
    const publisher = await createPublisher([...known, 'the', 'of', 'de', 'la', 'y']);
    closing.push(() => removePublisher(publisher));
    const world = createWorld();
    closing.push(world.remove);
    const servers = await serve(world);
    closing.push(servers.close);
    const proxy = await startRecordingProxy(servers.addresses.pool ?? '');
    closing.push(proxy.close);
    proxyPort = Number(new URL(proxy.url).port);
    const file = (name: string, content: string) => {
      writeFileSync(join(root, 'input', name), content, { mode: 0o600 });
      return join(root, 'input', name);
    };
    const policy = file(
      'policy.json',
      JSON.stringify({
        publisherKeys: [publisher.publicKeyFile],
        maxReleases: 1,
        minDocuments: 1,
        certifiedLimit: 0.9999999,
        neighbours: 4,
      }),
    );
    const model = ['--embeddings', publisher.embeddingsFile, '--policy', policy];
    const encoding = [...model, '--model', publisher.representation];
    const pem = world.keys.institution.export({ type: 'pkcs8', format: 'pem' }).toString();
    const pool = [
      ...['--pool', proxy.url, '--token-file', file('token', world.tokens.institution)],
      ...['--key', file('private.pem', pem)],
    ];
    const printed: Buffer[] = [];
    seen = [];
    const start = (args: readonly string[]) => {
      const child = spawn(process.execPath, ['--no-warnings', MAIN, ...args], {
        env: {
          PATH: process.env.PATH,
          TACET_CACHE: cacheOf(publisher.root),
          TMPDIR: join(root, 'tmp'),
          HOME: join(root, 'user'),
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
    const gathered = (...homes: string[]) => {
      const places = [
        ...homes.map((home) => join(root, home)),
        join(root, 'tmp'),
        join(root, 'user'),
      ];
      const around = seen.flatMap(({ surroundings }) => surroundings);
      return unpacked(
        Buffer.concat([...places.map(bytesBelow), ...printed, ...around, proxy.sent]),
      );
    };

    const plain = file('plain.jsonl', '{"id":"a","text":"the of.","spans":[]}\n');
    await run('--json', 'encode', plain, ...encoding, '--home', join(root, 'control'));
    control = gathered('control');

    const lines = texts.map(({ spans, ...note }) =>
      JSON.stringify({
        ...note,
        spans: spans.map(({ type: label, ...span }) => ({ label, ...span })),
      }),
    );
    const corpus = file('notes.jsonl', `${lines.join('\n')}\n`);
    const home = ['--home', join(root, 'home')];
    expect(await run('--json', 'encode', corpus, ...encoding, ...home)).toBe(0);
    released = JSON.parse(printed.at(-1)?.toString() ?? '').released;
    expect(await run('contribute', ...home, ...pool)).toBe(0);

    const pipeline = ['--pipeline', publisher.pipeline, '--port', '0', '--log-level', 'debug'];
    const served = ['--home', join(root, 'served')];
    const { child, ended } = start([
      '--json',
      'encoder',
      'serve',
      ...encoding,
      ...pipeline,
      ...served,
    ]);
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const { encoder } = JSON.parse(line);
    const metricsOf = async () => (await fetch(`${encoder}/metrics`)).text();
    // Their help texts, before a note was seen, are the project's own words.
    control = Buffer.concat([control, Buffer.from(await metricsOf())]);
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
    const metrics = await metricsOf();
    child.kill('SIGTERM');
    await ended;
    printed.push(Buffer.from(metrics));
    haystack = gathered('home', 'served', 'control');
  }, 240_000);
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
    rmSync(root, { recursive: true });
  });

  test('released something, in processes that were watched', () => {
    expect(released).toBeGreaterThan(10);
    expect(seen).toHaveLength(4);
    for (const { processes } of seen) expect(processes.size).toBeGreaterThan(0);
    expect(seen.some(({ written }) => written.size > 0)).toBe(true);
    expect(readdirSync(join(root, 'home'))).toContain('ledger.db');
  });

  test('holds no file open for writing but below home, temporary folder and terminal', () => {
    const allowed = ['home', 'served', 'control', 'tmp', 'user'].map(
      (name) => join(root, name) + sep,
    );
    for (const path of seen.flatMap(({ written }) => [...written])) {
      const isOurs = allowed.some((place) => path.startsWith(place)) || path.startsWith('/dev/');
      expect([path, isOurs]).toEqual([path, true]);
    }
  });

  test('speaks to nobody but the pool', () => {
    const port = proxyPort.toString(16).toUpperCase().padStart(4, '0');
    const [encoded, , contributed] = seen;
    expect([...(encoded?.peers ?? [])]).toEqual([]);
    for (const peer of contributed?.peers ?? []) expect(peer).toMatch(new RegExp(`:${port}$`));
  });

  test('leaves no canary in a file, line, metric, argument or socket', () => {
    for (const each of canaries)
      for (const spelling of [each, each.toUpperCase()])
        expect([spelling, countOf(spelling, haystack)]).toEqual([spelling, 0]);
  });

  test('leaves no word of eight or more characters there, in any encoding, its own aside', () => {
    const lower = (bytes: Buffer) => Buffer.from(bytes.toString('latin1').toLowerCase(), 'latin1');
    const [own, all] = [lower(decoded(control)), lower(decoded(haystack))];
    const leaked = words.filter((word) => {
      const needle = Buffer.from(word.toLowerCase(), 'utf8');
      return all.includes(needle) && !own.includes(needle);
    });
    expect(words.length).toBeGreaterThan(100);
    expect(leaked).toEqual([]);
  });
});
