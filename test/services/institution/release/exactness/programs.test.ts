import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Document } from '../../../../../models/text/document.js';
import { openDatabase } from '../../../../../platform/sqlite/database.js';
import { WORDS } from '../../notes.js';
import { cacheOf, createPublisher, type Publisher, removePublisher } from '../../publisher.js';
import { TWO_TYPES } from '../../two-types.js';
import { corporaPair, corporaPairWithKept } from './corpora.js';

const MAIN = fileURLToPath(new URL('../../../../../services/cli/main.js', import.meta.url));
const PLAYBACK = new URL('./playback.js', import.meta.url).href;

const LONG_MS = 300_000;
/** Whether a file of the job got its name before or after the request for its events is up to the machine. */
const ID_OF_EVENTS = /(?<="id":")[0-9a-f-]{36}(?=","method":"GET")/;

interface Left {
  readonly files: Readonly<Record<string, string>>;
  readonly ledger: unknown;
  readonly said: readonly unknown[];
}

describe('with entities replaced and randomness played back', () => {
  let publisher: Publisher;
  const folders: string[] = [];
  beforeAll(async () => {
    publisher = await createPublisher(WORDS, TWO_TYPES);
  });
  afterAll(async () => {
    await removePublisher(publisher);
    for (const folder of folders) await rm(folder, { recursive: true });
  });

  /** `tacet` in a folder of its own, of which no path is ever printed. */
  const tacet = async (
    folder: string,
    keeps: boolean,
    ...args: string[]
  ): Promise<ChildProcess> => {
    const model = ['--model', publisher.representation, '--embeddings', publisher.embeddingsFile];
    const policy = {
      ...{ publisherKeys: [publisher.publicKeyFile], maxReleases: 1, minDocuments: 1 },
      // Of few notes, most labels are of one alone.
      labelDocuments: 1,
      ...(keeps && { keptTypes: ['ORG'], certifiedLimit: 1, neighbours: 3 }),
    };
    await writeFile(join(folder, 'policy.json'), JSON.stringify(policy));
    const kept = keeps && args[0] === 'encode' ? ['--keep', 'ORG'] : [];
    const own = [...model, '--policy', 'policy.json', ...kept, '--new-home', 'home'];
    return spawn(process.execPath, ['--no-warnings', MAIN, '--json', ...args, ...own], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        NODE_OPTIONS: `--import ${PLAYBACK}`,
        TACET_PLAYBACK: 'programs',
        TACET_CACHE: cacheOf(publisher.root),
        XDG_STATE_HOME: join(folder, 'state'),
      },
    });
  };

  const left = async (folder: string, said: readonly unknown[]): Promise<Left> => {
    const files: Record<string, string> = {};
    const outbox = join(folder, 'home', 'outbox');
    for (const name of (await readdir(outbox)).sort())
      files[name] = (await readFile(join(outbox, name))).toString('base64');
    const db = openDatabase(join(folder, 'home', 'ledger.db'));
    const ledger = ['releases', 'alike', 'documents', 'entities', 'segments', 'bounds'].map(
      (table) => db.prepare(`SELECT * FROM ${table}`).all(),
    );
    db.close();
    return { files, ledger, said };
  };

  const asLines = (documents: readonly Document[]) =>
    documents.map(({ id, text: words, spans }) => {
      const points = (end: number) => [...words.slice(0, end)].length;
      const own = spans.map(({ type, start, end }) => ({
        label: type,
        start: points(start),
        end: points(end),
      }));
      return { id, text: words, spans: own };
    });

  type Leave = (folder: string, documents: readonly Document[], keeps: boolean) => Promise<Left>;
  const byCommand: Leave = async (folder, documents, keeps) => {
    const lines = asLines(documents).map((line) => `${JSON.stringify(line)}\n`);
    await writeFile(join(folder, 'notes.jsonl'), lines.join(''));
    const command = await tacet(folder, keeps, 'encode', 'notes.jsonl');
    const [stdout, stderr, [exit]] = await Promise.all([
      text(command.stdout as NonNullable<typeof command.stdout>),
      text(command.stderr as NonNullable<typeof command.stderr>),
      once(command, 'exit'),
    ]);
    return left(folder, [exit, stdout, stderr]);
  };

  const byService: Leave = async (folder, documents, keeps) => {
    const service = await tacet(folder, keeps, 'encoder', 'serve', '--port', '0');
    const log = text(service.stderr as NonNullable<typeof service.stderr>);
    const stdout = createInterface({ input: service.stdout as NonNullable<typeof service.stdout> });
    const { encoder } = JSON.parse((await once(stdout, 'line'))[0]);
    const begun = await fetch(`${encoder}/v1/jobs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ documents: asLines(documents), ...(keeps && { keep: ['ORG'] }) }),
    });
    const job = (await begun.json()) as { id: string };
    const events = await (await fetch(`${encoder}/v1/jobs/${job.id}/events`)).text();
    const ended = events.trim().split('\n\n').at(-1);
    service.kill('SIGTERM');
    const [[exit], lines] = await Promise.all([once(service, 'exit'), log]);
    return left(folder, [exit, begun.status, job, ended, lines.replace(ID_OF_EVENTS, '')]);
  };

  test.each([
    ['command', byCommand, false],
    ['service', byService, false],
    ['command, where a type is kept,', byCommand, true],
    ['service, where a type is kept,', byService, true],
  ])(
    'the %s leaves and says the same whatever the entities were',
    async (_what, leave, keeps) => {
      const drawn = keeps ? corporaPairWithKept : corporaPair;
      const types = keeps ? 2 : 1;
      const [pair] = fc.sample(
        drawn.filter(
          ([[document]]) =>
            (document?.spans.length ?? 0) > 1 &&
            new Set(document?.spans.map(({ type }) => type)).size === types,
        ),
        1,
      );
      const sides: Left[] = [];
      for (const documents of pair ?? []) {
        const folder = await mkdtemp(join(tmpdir(), 'tacet-exact-program-'));
        folders.push(folder);
        await mkdir(join(folder, 'state'));
        sides.push(await leave(folder, documents, keeps));
      }
      expect(Object.keys(sides[0]?.files ?? {}).length).toBeGreaterThan(0);
      expect(sides[1]).toEqual(sides[0]);
    },
    LONG_MS,
  );
});
