import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';

const COMMAND = fileURLToPath(new URL('../../../services/cli/main.js', import.meta.url));

async function tacet(...args: readonly string[]) {
  const child = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [exit] = await once(child, 'close');
  return { exit: exit as number, stdout, stderr };
}

const SECRET = 'Zacharias Quillfeather';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tacet-bad-'));
  const write = async (name: string, text: string) => {
    await mkdir(path.join(folder, path.dirname(name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  };
  await write('broken/note.xml', `<A><TEXT><![CDATA[${SECRET} came.]]></TEXT><TAGS>`);
  await write(
    'outside/notes.jsonl',
    `${JSON.stringify({ text: `${SECRET} came.`, spans: [{ start: 0, end: 99, label: 'NAME' }] })}\n`,
  );
  await write('config.json', '{"sede": 1}');
  await write('notes/notes.jsonl', `${JSON.stringify({ text: 'All well.', spans: [] })}\n`);
});

interface Case {
  readonly title: string;
  readonly args: () => readonly string[];
  readonly exit: number;
  readonly says: RegExp;
}

const CASES: readonly Case[] = [
  {
    title: 'an unknown option',
    args: () => ['corpus', 'check', folder, '--wrong'],
    exit: 2,
    says: /usage.*--wrong/,
  },
  { title: 'an unknown command', args: () => ['sing'], exit: 2, says: /usage.*sing/ },
  {
    title: 'a missing file',
    args: () => ['corpus', 'check', path.join(folder, 'nowhere')],
    exit: 3,
    says: /file-not-found.*nowhere/,
  },
  {
    title: 'broken XML',
    args: () => ['corpus', 'stats', path.join(folder, 'broken')],
    exit: 3,
    says: /corpus-invalid.*note\.xml/,
  },
  {
    title: 'a span outside the text',
    args: () => ['corpus', 'stats', path.join(folder, 'outside')],
    exit: 3,
    says: /corpus-invalid.*notes\.jsonl/,
  },
  {
    title: 'a wrong key in a configuration file',
    args: () => [
      ...['train', 'raw', path.join(folder, 'notes'), '--embeddings', 'none.vec'],
      ...['--scheme', 'synthetic', '--out', path.join(folder, 'run')],
      ...['--config', path.join(folder, 'config.json')],
    ],
    exit: 2,
    says: /config-invalid.*sede/,
  },
  {
    title: 'missing word vectors',
    args: () => [
      ...['train', 'raw', path.join(folder, 'notes'), '--embeddings', 'none.vec'],
      ...['--scheme', 'synthetic', '--out', path.join(folder, 'run')],
    ],
    exit: 3,
    says: /file-not-found.*none\.vec/,
  },
  {
    title: 'an unknown backend',
    args: () => [
      ...['--backend', 'abacus', 'train', 'raw', folder, '--embeddings', 'none.vec'],
      ...['--scheme', 'synthetic', '--out', path.join(folder, 'run')],
    ],
    exit: 2,
    says: /usage.*abacus/,
  },
  {
    title: 'an unknown label scheme',
    args: () => [
      ...['train', 'raw', folder, '--embeddings', 'none.vec'],
      ...['--scheme', 'unheard-of', '--out', path.join(folder, 'run')],
    ],
    exit: 3,
    says: /file-not-found.*unheard-of/,
  },
];

describe('bad input ends in one clear line and the right exit status', () => {
  test.each(CASES)('$title', async ({ args, exit, says }) => {
    const result = await tacet(...args());
    expect(result.stderr).toMatch(says);
    expect(result.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(result.stderr).not.toMatch(/^\s+at /m);
    expect(result.stderr + result.stdout).not.toContain(SECRET);
    expect(result.exit).toBe(exit);
  });

  test('a port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? `${address?.port}` : '';
    const data = path.join(folder, 'data');
    const result = await tacet('serve', '--pool', '--data', data, '--pool-port', port);
    server.close();
    expect(result.stderr).toMatch(/address-in-use/);
    expect(result.stderr).not.toMatch(/^\s+at /m);
    expect(result.exit).toBe(1);
  });
});

describe('help', () => {
  test('is there on every level and ends with status 0', async () => {
    for (const args of [['--help'], ['corpus', '--help'], ['train', 'adversarial', '--help']]) {
      const { exit, stdout } = await tacet(...args);
      expect(exit).toBe(0);
      expect(stdout).toMatch(/Usage: tacet/);
    }
  });
});
